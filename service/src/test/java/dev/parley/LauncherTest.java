package dev.parley;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.settings.MachineSize;
import dev.parley.settings.ServiceSize;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of {@code ./parley start}. */
class LauncherTest {
    private static final String SHOW = "eval \"$(sed -n '/^trial_settings()/,/^}/p' ../parley)\"; trial_settings;"
            + " printf '%s|%s|%s' \"$PARLEY_DEMO\" \"$PARLEY_EGRESS_ALLOW\" \"${PARLEY_EMAIL_TOOL_DOMAINS-unset}\"";

    /** A JVM of the tests' classes in place of that of the packaged service's. */
    private static final String SIZE = "eval \"$(sed -n '/^add_size()/,/^}/p' ../parley)\"; out=target;"
            + " java_flags=(-first); add_size; printf '%s ' \"${java_flags[@]}\"";

    private static final String READ = "eval \"$(grep '^refuse()' ../parley)\";"
            + " eval \"$(sed -n '/^read_config()/,/^}/p' ../parley)\"; read_config \"$FILE\"; printf '%s|%s|%s|%s'"
            + " \"$PARLEY_SECRET\" \"$PARLEY_PORT\" \"$PARLEY_SMTP_SENDER\" \"${PARLEY_LLM_API_KEY-unset}\"";

    @TempDir
    private Path home;

    private static String settings(Map<String, String> given) throws Exception {
        return run(SHOW, given, 0);
    }

    private static String run(String script, Map<String, String> given, int status) throws Exception {
        var bash = new ProcessBuilder("bash", "-euo", "pipefail", "-c", script).redirectErrorStream(true);
        bash.environment().keySet().removeIf(name -> name.startsWith("PARLEY_"));
        bash.environment().putAll(given);
        Process process = bash.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(status);
        return said;
    }

    private String sized(Map<String, String> given, int status) throws Exception {
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(
                java,
                "#!/bin/sh\nexec '%s/bin/java' -cp target/classes dev.parley.JvmFlags\n"
                        .formatted(System.getProperty("java.home")));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        Map<String, String> all = new HashMap<>(given);
        all.put("JAVA_HOME", home.toString());
        return run(SIZE, all, status);
    }

    @Test
    void addsTheFlagsThatTheServiceChoosesForItsMachine() throws Exception {
        String flags = sized(Map.of("PARLEY_CORES", "8", "PARLEY_MEMORY", "16384"), 0);
        assertThat(flags)
                .isEqualTo("-first "
                        + String.join(
                                " ", ServiceSize.of(new MachineSize(8, 16_384)).jvmFlags()) + " ");
    }

    @Test
    void refusesAnInvalidSizeInOneSentence() throws Exception {
        assertThat(sized(Map.of("PARLEY_HEAP", "much"), 2))
                .startsWith("parley: PARLEY_HEAP must be ")
                .hasLineCount(1);
    }

    @Test
    void setsDefaultsForUnsetVariables() throws Exception {
        assertThat(settings(Map.of())).isEqualTo("true|localhost,127.0.0.0/8,::1|*");
    }

    @Test
    void keepsSetVariables() throws Exception {
        assertThat(settings(Map.of("PARLEY_DEMO", "false", "PARLEY_EGRESS_ALLOW", "")))
                .isEqualTo("false||*");
    }

    @ParameterizedTest
    @CsvSource({"mail.example.org,,unset", "mail.example.org,a.example,a.example", ",a.example,a.example", ",'',''"})
    void workflowsWriteToAnybodyOnlyWhereNothingIsSent(String server, String domains, String then) throws Exception {
        Map<String, String> given = new HashMap<>();
        if (server != null) {
            given.put("PARLEY_SMTP_HOST", server);
        }
        if (domains != null) {
            given.put("PARLEY_EMAIL_TOOL_DOMAINS", domains);
        }
        assertThat(settings(given)).endsWith("|" + then);
    }

    private String read(String content, String mode, int status) throws Exception {
        Path file = home.resolve("parley.env");
        Files.writeString(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        return run(READ, Map.of("FILE", file.toString(), "PARLEY_PORT", "9000"), status);
    }

    @Test
    void readsSettingsLiterallyFromAFileAndPrefersTheEnvironment() throws Exception {
        assertThat(read("""
                        # a comment

                        PARLEY_SECRET=$HOME \\ "quoted" = #1
                        PARLEY_PORT=8080
                        PARLEY_SMTP_SENDER="Parley <parley@parley.example>"
                        PARLEY_LLM_API_KEY=""", "rw-r-----", 0))
                .isEqualTo("$HOME \\ \"quoted\" = #1|9000|Parley <parley@parley.example>|");
    }

    @Test
    void refusesASettingsFileThatOthersMayRead() throws Exception {
        assertThat(read("PARLEY_SECRET=hidden", "rw-r--r--", 2))
                .contains("chmod o=")
                .doesNotContain("hidden");
    }

    @Test
    void refusesALineThatIsNoSettingWithoutShowingIt() throws Exception {
        assertThat(read("# one\nhidden", "rw-------", 2)).contains("line 2 ").doesNotContain("hidden");
    }

    /** A release whose Java says how it was started, once the link to the release leads elsewhere. */
    @Test
    void aReleaseRunsInItsOwnDirectoryWhateverTheLinkSaysLater() throws Exception {
        Path release = home.resolve("parley-1");
        Path java = Files.createDirectories(release.resolve("runtime/bin")).resolve("java");
        Files.copy(Path.of("../parley"), release.resolve("parley"));
        Path link = Files.createSymbolicLink(home.resolve("current"), release);
        Files.writeString(java, """
                #!/bin/bash
                [[ "$*" == *JvmFlags* ]] && exit
                ln -sfn parley-2 '%s'
                echo "$0 in $(pwd) runs ${!#}"
                """.formatted(link));
        for (Path program : new Path[] {java, release.resolve("parley")}) {
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        }
        String real = release.toRealPath().toString();
        String said = run(link + "/parley start --port 1", Map.of("HOME", home.toString()), 0);
        assertThat(said)
                .endsWith(real + "/runtime/bin/java in " + real + " runs service/quarkus-app/quarkus-run.jar\n");
    }
}
