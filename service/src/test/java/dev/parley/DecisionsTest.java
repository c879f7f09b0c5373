package dev.parley;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps the decisions complete, their index whole, and the numbers that others cite those of decisions. */
class DecisionsTest {
    /** Tests run in the directory of the repository, or of one of its modules. */
    private static final Path ROOT = Path.of(Files.exists(Path.of("docs/decisions")) ? "" : "..");

    private static final Path DECISIONS = ROOT.resolve("docs/decisions");
    private static final Set<String> SKIPPED = Set.of(".git", "node_modules", "target", "data", "results", "dist");

    /** A number that a text cites as a decision: by path, or behind the word. */
    private static final Pattern CITED = Pattern.compile("(?i)\\b(?:decisions/|(?:ADRs?|decisions?) \\[?)(0\\d{3})\\b");

    private static final Pattern TEXT =
            Pattern.compile("parley|sbom|.*\\.(?:java|md|ts|tsx|css|sql|xml|ya?ml|sh|mjs|properties|html)");

    @Test
    void everyCitedDecisionExists() throws IOException {
        Set<String> existing = new TreeSet<>();
        Set<String> included = new TreeSet<>();
        for (Path decision : decisions()) {
            existing.add(number(decision));
            Files.readString(decision)
                    .lines()
                    .filter(line -> line.startsWith("Includes: "))
                    .forEach(line -> Pattern.compile("\\b0\\d{3}\\b")
                            .matcher(line)
                            .results()
                            .forEach(found -> included.add(found.group())));
        }
        List<String> missing = new ArrayList<>();
        for (Path file : texts()) {
            CITED.matcher(Files.readString(file))
                    .results()
                    .map(found -> found.group(1))
                    .filter(number -> !existing.contains(number))
                    // A comment of a migration is part of its checksum, so it keeps the former number.
                    .filter(number -> !file.toString().endsWith(".sql") || !included.contains(number))
                    .forEach(number -> missing.add(ROOT.relativize(file) + ": " + number));
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyDecisionHasStatusAndDateAndAnEntryInTheIndex() throws IOException {
        String index = Files.readString(DECISIONS.resolve("README.md"));
        for (Path decision : decisions()) {
            assertThat(Files.readString(decision))
                    .as(decision.toString())
                    .startsWith("# " + number(decision) + ": ")
                    .containsPattern("\nStatus: (accepted|replaced by .+)\nDate: \\d{4}-\\d{2}-\\d{2}\n")
                    .contains("\n## Context\n", "\n## Decision\n", "\n## Consequences\n");
            assertThat(index).contains("- [" + number(decision) + "](" + decision.getFileName() + ") ");
        }
    }

    private static List<Path> decisions() throws IOException {
        try (Stream<Path> files = Files.list(DECISIONS)) {
            return files.filter(file -> file.getFileName().toString().matches("0.*\\.md"))
                    .sorted()
                    .toList();
        }
    }

    private static String number(Path decision) {
        return decision.getFileName().toString().substring(0, 4);
    }

    private static List<Path> texts() throws IOException {
        List<Path> texts = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return SKIPPED.contains(String.valueOf(directory.getFileName()))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (TEXT.matcher(String.valueOf(file.getFileName())).matches()) {
                    texts.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return texts;
    }
}
