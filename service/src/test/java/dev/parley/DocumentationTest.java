package dev.parley;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps the documentation's settings, commands, scripts and links those of the repository. */
class DocumentationTest {
    private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```|`[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    @Test
    void theTablesOfSettingsHaveEverySettingOnce() throws IOException {
        List<String> rows = Files.readString(Path.of("../docs/reference/settings.md"))
                .lines()
                .filter(line -> line.startsWith("| `PARLEY_"))
                .toList();

        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Setting.values())
                        .map(DocumentationTest::row)
                        .toList());
    }

    @Test
    void everyCommandOfTheLauncherIsExplained() throws IOException {
        String page = Files.readString(Path.of("../docs/reference/commands.md"));

        Files.readString(Path.of("../parley"))
                .lines()
                .filter(line -> line.startsWith("./parley "))
                .map(line -> line.split(" ", 3)[1])
                .forEach(command -> assertThat(page).contains("`./parley " + command));
    }

    @Test
    void theWalkIsTheScriptThatTestsRun() throws IOException {
        String script = Files.readString(Path.of("../examples/walk.sh"));

        assertThat(Files.readString(Path.of("../docs/guides/api.md")))
                .contains("```sh\n" + script.substring(script.indexOf("set -eu\n") + 8) + "```");
    }

    @Test
    void everyRelativeLinkLeadsToAFileAndAHeading() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            String text = CODE.matcher(Files.readString(page)).replaceAll("");
            LINK.matcher(text)
                    .results()
                    .map(found -> found.group(1))
                    .filter(link -> !link.contains(":") && !resolves(page, link))
                    .forEach(link -> broken.add(page + ": " + link));
        }
        assertThat(broken).isEmpty();
    }

    private static String row(Setting setting) {
        String defaultValue = setting.defaultValue();
        return "| `%s` | %s | %s |"
                .formatted(setting.name(), defaultValue.isEmpty() ? "" : "`" + defaultValue + "`", setting.purpose());
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (String root : List.of("../docs", "../examples", "../benchmarks")) {
            try (Stream<Path> files = Files.walk(Path.of(root))) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
            }
        }
        try (Stream<Path> files = Files.list(Path.of(".."))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    private static boolean resolves(Path page, String link) {
        String[] parts = link.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        return Files.exists(file) && (parts.length == 1 || anchors(file).contains(parts[1]));
    }

    /** The anchors that GitHub gives the headings of a page. */
    private static Set<String> anchors(Path page) {
        try {
            return HEADING.matcher(Files.readString(page))
                    .results()
                    .map(DocumentationTest::anchor)
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String anchor(MatchResult heading) {
        return heading.group(1)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }
}
