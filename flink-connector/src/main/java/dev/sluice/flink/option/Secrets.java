/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Keeps credentials out of messages, logs and listings. */
public final class Secrets {

    private static final String HIDDEN = "******";

    private static final List<String> TELLING = List.of(
            "password",
            "passwd",
            "secret",
            "token",
            "credential",
            "access-key",
            "access.key",
            "accesskey",
            "apikey",
            "api-key",
            "account.key",
            "accountkey",
            "private-key",
            "private.key",
            "sas.",
            "authorization",
            "header.",
            "keytab");

    private static final Pattern USER_INFO = Pattern.compile("(//)[^/@\\s]+@");

    private Secrets() {}

    /** The value as it may be shown: hidden if the key is that of a credential, without user and password in a URI. */
    public static String shown(String key, String value) {
        String lower = key.toLowerCase(Locale.ROOT);
        if (TELLING.stream().anyMatch(lower::contains)) {
            return HIDDEN;
        }
        return USER_INFO.matcher(value).replaceAll("$1" + HIDDEN + "@");
    }
}
