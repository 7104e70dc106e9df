/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3.secret-key",
                "s3.access-key",
                "fs.s3a.access.key",
                "fs.oss.accessKeySecret",
                "jdbc.password",
                "token",
                "fs.azure.account.key.me.blob.core.windows.net",
                "PASSWORD"
            })
    void keysOfSecretsAreKnown(String key) {
        assertThat(Secrets.isSecret(key)).isTrue();
        assertThat(Secrets.shown(key, "hush")).isEqualTo("******");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bucket", "bucket-key", "s3.endpoint", "primary-key", "path", "scan.tag-name"})
    void otherKeysAreShown(String key) {
        assertThat(Secrets.isSecret(key)).isFalse();
        assertThat(Secrets.shown(key, "value")).isEqualTo("value");
    }

    @Test
    void textLosesSecretsOfOptionsAndUrls() {
        String text = "jdbc:mysql://me:open@host/db?user=me&password=sesame&useSSL=false refused hush-hush and hush";
        Map<String, String> options =
                Map.of("jdbc.password", "hush", "s3.secret-key", "hush-hush", "bucket", "refused");
        assertThat(Secrets.redact(text, options))
                .isEqualTo("jdbc:mysql://me:******@host/db?user=me&password=******&useSSL=false refused ****** and"
                        + " ******");
    }
}
