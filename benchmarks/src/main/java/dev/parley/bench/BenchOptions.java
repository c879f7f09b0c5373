package dev.parley.bench;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The arguments of {@code ./parley bench}.
 *
 * @param only the one thing to measure; empty for the hot paths with their report
 * @param value of {@code only}, or its default
 */
record BenchOptions(boolean quick, Optional<String> only, String value) {
    private static final String QUICK = "--quick";
    private static final List<String> WITHOUT_VALUE = List.of(
            "--messages",
            "--triggers",
            "--sandbox",
            "--big-work",
            "--slow-readers",
            "--streams",
            "--agents",
            "--peers");
    private static final Map<String, String> DEFAULT_VALUES =
            Map.of("--nodes", "2", "--growth", "1m", "--engine", "restate");

    static BenchOptions parse(String... arguments) {
        boolean quick = false;
        String only = null;
        String value = "";
        for (String argument : arguments) {
            if (argument.equals(QUICK)) {
                quick = true;
            } else if (only == null && (WITHOUT_VALUE.contains(argument) || DEFAULT_VALUES.containsKey(argument))) {
                only = argument;
            } else if (only != null && value.isEmpty() && DEFAULT_VALUES.containsKey(only)) {
                value = argument;
            } else {
                throw new BenchException("bench does not know '" + argument + "'; it takes --quick and one of "
                        + String.join(", ", WITHOUT_VALUE) + ", --nodes N, --growth SIZE and --engine NAME.");
            }
        }
        if (only != null && value.isEmpty()) {
            value = DEFAULT_VALUES.getOrDefault(only, "");
        }
        return new BenchOptions(quick, Optional.ofNullable(only), value);
    }
}
