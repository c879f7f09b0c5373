package dev.parley.db;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a migration must not do while nodes of the previous release run on its schema (CONTRIBUTING.md). */
final class MigrationRules {
    private static final Pattern COMMENT = Pattern.compile("(?m)--.*$");
    private static final Pattern BODY = Pattern.compile("(?s)\\$\\$.*?\\$\\$|'(?:[^']|'')*'");
    private static final Pattern CREATED = Pattern.compile("create (?:table|type) (?:if not exists )?(\\w+)");
    private static final Pattern CHANGED = Pattern.compile(
            "^(?:alter table (?:if exists )?(?:only )?|create (?:unique )?index .*? on (?:only )?|truncate (?:table )?|delete from |"
                    + "drop table (?:if exists )?|create (?:or replace )?(?:constraint )?trigger .*? on )(\\w+)");

    /** By what each does to a node of the previous release. */
    private static final Map<String, Pattern> FORBIDDEN = Map.of(
            "removes what it reads or writes",
            Pattern.compile(
                    "\\bdrop (?:table|column|view|type|function|schema|sequence|attribute)\\b|^truncate|^delete"),
            "renames what it reads or writes",
            Pattern.compile("\\brename\\b"),
            "adds a column that its inserts leave null",
            Pattern.compile("\\badd (?:column )?(?!constraint|check|primary|unique|foreign|exclude)"
                    + "(?![^,]*\\bdefault\\b)[^,]*\\bnot null\\b"),
            "makes a column required",
            Pattern.compile("\\bset not null\\b"),
            "changes a type",
            Pattern.compile("\\balter (?:column )?\\w+ (?:set data )?type\\b"),
            "adds a rule that its rows may break",
            Pattern.compile(
                    "\\badd (?:constraint \\w+ )?(?:check\\b(?!.*\\bnot valid\\b)|(?:unique|primary|exclude|foreign)\\b)"
                            + "|^create unique index\\b"),
            "adds a trigger that runs for its writes",
            Pattern.compile("^create (?:or replace )?(?:constraint )?trigger\\b"));

    private MigrationRules() {}

    /** The tables and types that migrations create. */
    static Set<String> created(Stream<String> migrations) {
        Set<String> created = new HashSet<>();
        migrations.forEach(sql -> {
            Matcher table = CREATED.matcher(plain(sql));
            while (table.find()) {
                created.add(table.group(1));
            }
        });
        return created;
    }

    /** @param existing tables and types of the previous release; others are changed freely */
    static List<String> violations(String sql, Set<String> existing) {
        List<String> violations = new ArrayList<>();
        for (String statement : plain(sql).split(";", -1)) {
            String text = statement.strip();
            Matcher changed = CHANGED.matcher(text);
            if (changed.find() && !existing.contains(changed.group(1))) {
                continue;
            }
            FORBIDDEN.forEach((reason, pattern) -> {
                if (pattern.matcher(text).find()) {
                    violations.add(reason + ": " + text);
                }
            });
        }
        return violations;
    }

    /** In lower case, without comments, strings and bodies of functions, each space one. */
    private static String plain(String sql) {
        return BODY.matcher(COMMENT.matcher(sql).replaceAll(""))
                .replaceAll("''")
                .toLowerCase(Locale.ROOT)
                .replaceAll("\\s+", " ");
    }
}
