/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A file of jobs: SQL under lines that start with {@code --!}. {@code --! tables} is for statements that are executed once
 * in each process, or with {@code shared=true} in the first alone; {@code --! job NAME}, with {@code input=NAME}, {@code connectors=A,B}, {@code follows=TABLE},
 * {@code size=fixed|growth} and {@code check=once} where they apply (see {@link Job.Traits}), for the measured one, around which
 * {@code --! before}, {@code --! measured} and {@code --! check} may stand. {@code SET} before a measured statement holds
 * for it alone.
 *
 * @param tables what to execute first, with which connectors
 */
record JobFile(List<Tables> tables, List<Job> jobs) {

    private static final Set<Connector> OF_PAIMON = Set.of(Connector.SLUICE, Connector.OFFICIAL);
    private static final Pattern SET = Pattern.compile("SET\\s+'([^']+)'\\s*=\\s*'([^']*)'", Pattern.CASE_INSENSITIVE);

    /**
     * @param shared whether one process makes them for all, in the catalog {@code shared}
     * @param statements in order
     */
    record Tables(Set<Connector> connectors, boolean shared, List<String> statements) {}

    /** @param variables by name, put in place of {@code ${name}} */
    static JobFile parse(String text, Map<String, String> variables) {
        String filled = text;
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            filled = filled.replace("${" + variable.getKey() + "}", variable.getValue());
        }
        List<Tables> tables = new ArrayList<>();
        List<Job> jobs = new ArrayList<>();
        String header = "tables";
        Map<String, List<String>> parts = new LinkedHashMap<>();
        String part = "measured";
        for (String section : ("--! tables\n" + filled).split("(?m)^--! ", -1)) {
            int end = section.indexOf('\n');
            if (end < 0) {
                continue;
            }
            String line = section.substring(0, end).strip();
            List<String> statements = statements(section.substring(end + 1));
            if (line.startsWith("tables") || line.startsWith("job ")) {
                add(header, parts, tables, jobs);
                header = line;
                parts = new LinkedHashMap<>();
                part = "measured";
            } else {
                part = line;
            }
            parts.computeIfAbsent(part, p -> new ArrayList<>()).addAll(statements);
        }
        add(header, parts, tables, jobs);
        return new JobFile(tables, jobs);
    }

    private static void add(String header, Map<String, List<String>> parts, List<Tables> tables, List<Job> jobs) {
        List<String> measured = parts.getOrDefault("measured", List.of());
        if (header.startsWith("tables")) {
            if (!measured.isEmpty()) {
                Set<Connector> all = Set.of(Connector.values());
                Map<String, String> attributes = attributes(header);
                tables.add(new Tables(
                        connectors(attributes, all), Boolean.parseBoolean(attributes.get("shared")), measured));
            }
            return;
        }
        Map<String, String> settings = new HashMap<>();
        for (String statement : measured.subList(0, measured.size() - 1)) {
            Matcher set = SET.matcher(statement);
            if (!set.matches()) {
                throw new IllegalArgumentException(
                        "Only SET may stand before what is measured in " + header + ", not: " + statement);
            }
            settings.put(set.group(1), set.group(2));
        }
        Map<String, String> attributes = attributes(header);
        jobs.add(new Job(
                header.split("\\s+", -1)[1],
                new Job.Traits(
                        attributes.getOrDefault("input", ""),
                        connectors(attributes, OF_PAIMON),
                        attributes.getOrDefault("follows", ""),
                        attributes.getOrDefault("size", "").equals("growth"),
                        attributes.getOrDefault("size", "").equals("fixed"),
                        attributes.getOrDefault("check", "").equals("once")),
                parts.getOrDefault("before", List.of()),
                measured.get(measured.size() - 1),
                settings,
                String.join("", parts.getOrDefault("check", List.of()))));
    }

    private static Map<String, String> attributes(String header) {
        return Stream.of(header.split("\\s+", -1))
                .filter(word -> word.contains("="))
                .map(word -> word.split("=", 2))
                .collect(Collectors.toMap(word -> word[0], word -> word[1]));
    }

    private static Set<Connector> connectors(Map<String, String> attributes, Set<Connector> otherwise) {
        String named = attributes.get("connectors");
        return named == null
                ? otherwise
                : Stream.of(named.split(",", -1))
                        .map(name -> Connector.valueOf(name.toUpperCase(Locale.ROOT)))
                        .collect(Collectors.toSet());
    }

    private static List<String> statements(String text) {
        String code = text.lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
        return Stream.of(code.split(";\\s*(\n|$)", -1))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }
}
