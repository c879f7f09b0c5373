package dev.parley;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of {@code ./parley start}. */
class LauncherTest {
    private static final String SHOW = "eval \"$(sed -n '/^trial_settings()/,/^}/p' parley)\"; trial_settings;"
            + " printf '%s|%s|%s' \"$PARLEY_DEMO\" \"$PARLEY_EGRESS_ALLOW\" \"${PARLEY_EMAIL_TOOL_DOMAINS-unset}\"";

    private static String settings(Map<String, String> given) throws Exception {
        var bash = new ProcessBuilder("bash", "-euo", "pipefail", "-c", SHOW).redirectErrorStream(true);
        bash.environment().keySet().removeIf(name -> name.startsWith("PARLEY_"));
        bash.environment().putAll(given);
        Process process = bash.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
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
}
