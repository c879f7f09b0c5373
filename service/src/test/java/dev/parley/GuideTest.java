package dev.parley;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps the names in the guide those of the code. */
class GuideTest {
    private static final List<Path> GUIDE = List.of(Path.of("../docs/architecture.md"), Path.of("../docs/recipes.md"));
    private static final List<Path> SOURCES = List.of(
            Path.of("src/main/java"),
            Path.of("src/test/java"),
            Path.of("../sandbox/src"),
            Path.of("../reader/src"),
            Path.of("../dashboard/src"));

    /** A type, perhaps with a member; a placeholder such as {@code XStore} begins with two capitals. */
    private static final Pattern TYPE = Pattern.compile("`([A-Z][a-z]\\w*)((?:\\.\\w+)*)(?:\\([^`]*\\))?`");

    private static final Pattern FILE = Pattern.compile("[(`]([\\w./-]+\\.(?:java|md|tsx?|sh))(?:#[\\w-]+)?[)`]");

    @Test
    void everyTypeThatTheGuideNamesExists() throws IOException {
        Map<String, String> sources = sources();
        List<String> missing = new ArrayList<>();
        for (Path page : GUIDE) {
            TYPE.matcher(Files.readString(page))
                    .results()
                    .filter(found -> !isDeclared(sources, found.group(1), found.group(2)))
                    .forEach(found -> missing.add(page + ": " + found.group(1) + found.group(2)));
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyFileThatTheGuideNamesExists() throws IOException {
        List<String> missing = new ArrayList<>();
        for (Path page : GUIDE) {
            FILE.matcher(Files.readString(page))
                    .results()
                    .map(found -> found.group(1))
                    .filter(name -> Stream.of(Path.of(".."), Path.of("../docs"), Path.of("../dashboard"))
                            .noneMatch(root -> Files.exists(root.resolve(name))))
                    .forEach(name -> missing.add(page + ": " + name));
        }
        assertThat(missing).isEmpty();
    }

    private static boolean isDeclared(Map<String, String> sources, String type, String members) {
        String text = sources.get(type);
        return text != null && Pattern.compile("\\.").splitAsStream(members).allMatch(member -> text.contains(member));
    }

    /** The text of each source file by its name without the extension. */
    private static Map<String, String> sources() throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path root : SOURCES) {
            try (Stream<Path> all = Files.walk(root)) {
                all.filter(file -> file.toString().matches(".*\\.(java|tsx?)")).forEach(files::add);
            }
        }
        return files.stream()
                .collect(Collectors.toMap(
                        file -> file.getFileName().toString().replaceFirst("\\..*", ""),
                        GuideTest::read,
                        String::concat));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
