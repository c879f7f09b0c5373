package dev.parley.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** {@code benchmarks/RESULTS.md}: a section for each command that writes results, begun by its heading. */
final class ResultsFile {
    private static final Path PATH = Path.of("benchmarks/RESULTS.md");
    private static final Pattern HEADING = Pattern.compile("^(?=##? )", Pattern.MULTILINE);

    private ResultsFile() {}

    /** Prints a section and writes it over the one with the same heading, or behind the others. */
    static void replace(String section) {
        System.out.println();
        System.out.println(section);
        try {
            List<String> sections = new ArrayList<>(
                    HEADING.splitAsStream(Files.readString(PATH)).toList());
            int index = 0;
            while (index < sections.size() && !heading(sections.get(index)).equals(heading(section))) {
                index++;
            }
            if (index < sections.size()) {
                sections.set(index, section);
            } else {
                sections.add(section);
            }
            List<String> stripped = sections.stream().map(String::strip).toList();
            Files.writeString(PATH, String.join("\n\n", stripped) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.out.println("bench: written to " + PATH);
    }

    private static String heading(String section) {
        return section.lines().findFirst().orElse("");
    }
}
