package dev.parley.settings;

import java.util.List;
import java.util.Map;

/**
 * The settings that are set, for a support bundle.
 *
 * @param lines one {@code NAME=value} each, without passwords and keys
 * @param secrets the values that the lines leave out
 */
public record ShownSettings(List<String> lines, List<String> secrets) {
    static ShownSettings of(Map<Setting, String> values) {
        return new ShownSettings(
                values.entrySet().stream()
                        .map(set -> set.getKey() + "=" + (set.getKey().isSecret() ? "(set)" : masked(set.getValue())))
                        .toList(),
                values.entrySet().stream()
                        .filter(set -> set.getKey().isSecret())
                        .map(set -> set.getValue().strip())
                        .filter(value -> !value.isEmpty())
                        .toList());
    }

    /** Without the user and the parameters of a URL, which may be a password. */
    private static String masked(String value) {
        return value.replaceAll("//[^/@\\s]*@", "//…@").replaceAll("\\?[^\\s,]*", "?…");
    }

    @Override
    public String toString() {
        return String.join("\n", lines);
    }
}
