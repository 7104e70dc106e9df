/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Keeps passwords and keys out of messages. */
public final class Secrets {

    /** Stands for a value that is not shown; the same as Flink's own. */
    public static final String HIDDEN = "******";

    private static final List<String> SECRET_WORDS = List.of(
            "password",
            "secret",
            "token",
            "credential",
            "accesskey",
            "accountkey",
            "apikey",
            "privatekey",
            "encryptionkey",
            "authorization");

    /** A secret as a parameter of a URL, as JDBC drivers take it, or before the host. */
    private static final Pattern IN_URL = Pattern.compile(
            "((?:password|pwd|secret|token|access.?key|api.?key|sig|signature)[\\w.-]*=)[^&;\\s]+",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern USER_INFO = Pattern.compile("(//[^/@:\\s]+:)[^/@\\s]+@");

    private Secrets() {}

    /** Whether an option's value must not be shown, going by its key. */
    public static boolean isSecret(String key) {
        String plain = key.toLowerCase(Locale.ROOT).replaceAll("[._-]", "");
        return SECRET_WORDS.stream().anyMatch(plain::contains);
    }

    /** The value, or {@link #HIDDEN} if it belongs to a key that is secret; URLs lose the secrets in them. */
    public static String shown(String key, String value) {
        return isSecret(key) ? HIDDEN : withoutSecretsOfUrls(value);
    }

    /** The text without the values of secret options and without secrets in URLs; for messages of other libraries. */
    public static String redact(String text, Map<String, String> options) {
        String redacted = text;
        // Longest first, or one secret that contains another would show what is left of it.
        List<String> secrets = options.entrySet().stream()
                .filter(e -> isSecret(e.getKey()) && e.getValue().length() > 2)
                .map(Map.Entry::getValue)
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        for (String secret : secrets) {
            redacted = redacted.replace(secret, HIDDEN);
        }
        return withoutSecretsOfUrls(redacted);
    }

    private static String withoutSecretsOfUrls(String text) {
        String parameters = IN_URL.matcher(text).replaceAll("$1" + HIDDEN);
        return USER_INFO.matcher(parameters).replaceAll("$1" + HIDDEN + "@");
    }
}
