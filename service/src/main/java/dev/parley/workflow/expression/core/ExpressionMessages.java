package dev.parley.workflow.expression.core;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rewrites messages of the CEL library for people who do not know its grammar and its type system. */
final class ExpressionMessages {
    private static final Pattern TYPE =
            Pattern.compile("(?:wrapper\\()?([\\w.]+)(?:\\((?:[^()]|\\([^()]*\\))*\\))?\\)?");
    private static final Map<String, String> TYPES = Map.of(
            "int", "an integer",
            "uint", "an integer",
            "double", "a number",
            "string", "a text",
            "bool", "a boolean",
            "google.protobuf.Timestamp", "a date and time",
            "list", "a list",
            "map", "an object",
            "null_type", "null");

    /** A pattern within a message, and what replaces it. */
    private record Rewording(Pattern pattern, Function<MatchResult, String> text) {
        Rewording(String pattern, Function<MatchResult, String> text) {
            this(Pattern.compile(pattern, Pattern.DOTALL), text);
        }

        Rewording(String pattern, String text) {
            this(pattern, _ -> text);
        }
    }

    private static final List<Rewording> REWORDINGS = List.of(
            new Rewording("^evaluation error at [^ ]*: ", ""),
            new Rewording("^(?:(?:[a-z]\\w*\\.)+[A-Z]\\w*: )+", ""),
            new Rewording(
                    "^error parsing regexp: (.*): `(.*)`$",
                    found -> "the pattern has an error at '" + found.group(2) + "': " + found.group(1)),
            new Rewording(
                    "^(?:.*NumberFormatException.*|For input string: .*|.*(?:too large|out of range).*literal.*"
                            + "|invalid u?int literal.*|.*exceeds range of unsigned long.*)$",
                    "the number is too large; an integer has at most 64 bits. Write it with a decimal point,"
                            + " such as 1e19"),
            new Rewording(" \\(in container ''\\)", ""),
            new Rewording(" \\(candidates: .*\\)$", ""),
            new Rewording(" expecting (?:\\{.*|<EOF>)$", ""),
            new Rewording("^token recognition error at: '=>.*", "write '>=' instead of '=>'"),
            new Rewording("^token recognition error at: '=.*", "write '==' instead of '='"),
            new Rewording("^token recognition error at: '&.*", "write '&&' instead of '&'"),
            new Rewording("^token recognition error at: '\\|.*", "write '||' instead of '|'"),
            new Rewording("^token recognition error at: '[\"'].*", "the closing quotation mark is missing"),
            new Rewording("^token recognition error at: '[“”„‘’‚«»].*", "write straight quotation marks"),
            new Rewording("^token recognition error at: '≥.*", "write '>=' instead of '≥'"),
            new Rewording("^token recognition error at: '≤.*", "write '<=' instead of '≤'"),
            new Rewording("^token recognition error at: '≠.*", "write '!=' instead of '≠'"),
            new Rewording("^token recognition error at: ('.*')$", found -> found.group(1) + " is not allowed here"),
            new Rewording("^(?:mismatched|extraneous) input '(?i:and)'.*", "write '&&' instead of 'and'"),
            new Rewording("^(?:mismatched|extraneous) input '(?i:or)'.*", "write '||' instead of 'or'"),
            new Rewording("^missing ('.*') at '<EOF>'$", found -> found.group(1) + " is missing at the end"),
            new Rewording("^(?:mismatched|extraneous) input '<EOF>'", "the condition ends too early"),
            new Rewording(
                    "^(?:(?:mismatched|extraneous) input|no viable alternative at input) ('.*')$",
                    found -> found.group(1) + " is not expected here"),
            new Rewording(
                    "^found no matching overload for '_?([^']*?)_?' applied to '\\((.*)\\)'$",
                    found -> "'" + found.group(1) + "' cannot be applied to " + types(found.group(2))),
            new Rewording(
                    "^expected type 'bool' but found '(.*)'$",
                    found -> "a condition is true or false, but this is " + types(found.group(1))),
            new Rewording(
                    "^undeclared reference to ('.*')$", found -> "there is nothing named " + found.group(1) + " here"),
            new Rewording("^undefined field ('.*')$", found -> "there is nothing named " + found.group(1) + " here"),
            new Rewording("wrapper\\((\\w+)\\)", found -> found.group(1)),
            new Rewording(
                    "No matching overload for function '_?([^']*?)_?'\\. Overload candidates: .*",
                    found -> "'" + found.group(1) + "' cannot be applied to these values; one of them may be null"));

    private ExpressionMessages() {}

    static String readable(String message) {
        String text = message;
        for (Rewording one : REWORDINGS) {
            text = one.pattern()
                    .matcher(text)
                    .replaceAll(found -> Matcher.quoteReplacement(one.text().apply(found)));
        }
        return text;
    }

    /** The types of a list such as {@code int, list(string)}, in words. */
    private static String types(String list) {
        List<String> words = TYPE.matcher(list)
                .results()
                .map(found -> TYPES.getOrDefault(found.group(1), found.group()))
                .toList();
        return words.size() < 2
                ? String.join("", words)
                : String.join(", ", words.subList(0, words.size() - 1)) + " and " + words.getLast();
    }
}
