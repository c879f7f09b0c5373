package dev.parley;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.settings.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Keeps the README's tables of settings and commands up to date. */
class ReadmeTest {
    private static final String BEGIN =
            "<!-- settings: made from dev.parley.settings.Setting; ReadmeTest compares -->\n";
    private static final String END = "<!-- end of settings -->";

    @Test
    void theTableOfSettingsIsTheListInTheCode() throws Exception {
        String readme = Files.readString(Path.of("README.md"));

        assertThat(readme).contains(BEGIN, END);
        assertThat(readme.substring(readme.indexOf(BEGIN) + BEGIN.length(), readme.indexOf(END)))
                .as("replace the table in README.md by this one")
                .isEqualTo(table());
    }

    @Test
    void everyCommandOfTheLauncherIsExplained() throws Exception {
        String readme = Files.readString(Path.of("README.md"));

        Files.readString(Path.of("parley"))
                .lines()
                .filter(line -> line.startsWith("./parley "))
                .map(line -> line.split(" ", 3)[1])
                .forEach(command -> assertThat(readme).contains("./parley " + command));
    }

    @Test
    void theWalkIsTheScriptThatTestsRun() throws Exception {
        String readme = Files.readString(Path.of("README.md"));
        String script = Files.readString(Path.of("examples/walk.sh"));

        assertThat(readme).contains("```sh\n" + script.substring(script.indexOf("set -eu\n") + 8) + "```");
    }

    private static String table() {
        return Arrays.stream(Setting.values())
                .map(setting -> "| `%s` | %s | %s |\n"
                        .formatted(
                                setting.name(),
                                setting.defaultValue().isEmpty() ? "" : "`" + setting.defaultValue() + "`",
                                setting.purpose()))
                .collect(Collectors.joining("", "| Setting | Default | What for |\n|---|---|---|\n", ""));
    }
}
