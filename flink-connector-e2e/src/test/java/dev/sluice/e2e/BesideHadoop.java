/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.e2e;

import java.net.URL;
import java.nio.file.Path;

/**
 * Runs in a child JVM that has a cluster's Hadoop on its class path: a file of SQL, and then what a user of that
 * Hadoop sees of it.
 */
final class BesideHadoop {
    private BesideHadoop() {}

    public static void main(String[] args) throws Exception {
        SqlFile.main(args);

        Class<?> version = Class.forName("org.apache.hadoop.util.VersionInfo");
        System.out.println("version| " + version.getMethod("getVersion").invoke(null));
        System.out.println("classes| "
                + fileName(version.getProtectionDomain().getCodeSource().getLocation()));

        Class<?> configuration = Class.forName("org.apache.hadoop.conf.Configuration");
        Object settings = configuration.getConstructor().newInstance();
        URL defaults =
                (URL) configuration.getMethod("getResource", String.class).invoke(settings, "core-default.xml");
        System.out.println("defaults| " + defaults);
        System.out.println(
                "site| " + configuration.getMethod("get", String.class).invoke(settings, "e2e.site"));
    }

    private static String fileName(URL jar) {
        return Path.of(jar.getPath()).getFileName().toString();
    }
}
