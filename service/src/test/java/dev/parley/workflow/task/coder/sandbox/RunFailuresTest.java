package dev.parley.workflow.task.coder.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The words in which failures of code are reported. */
class RunFailuresTest {
    private static final SandboxLimits LIMITS = new SandboxLimits(Duration.ofSeconds(30), 256, 64 << 10);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            THREW         | 3 | Error: no rate     | Code error     | 3 | Line 3: Error: no rate
            THREW         | 1 | ModuleNotFoundError: No module named 'requests' | Code error | 1 | Line 1: ModuleNotFoundError: No module named 'requests'. Only Python's standard library is available.
            THREW         | 2 | ReferenceError: setTimeout is not defined | Code error | 2 | Line 2: ReferenceError: setTimeout is not defined. The sandbox has the language alone: no packages, files, network and timers.
            NO_MAIN       | 0 |                    | Code error     |   | The code has no function 'main'.
            EXITED        | 2 |                    | Code error     | 2 | Line 2: The code called exit; 'main' must return the outputs.
            NEVER_SETTLED | 0 |                    | Code error     |   | What 'main' awaits never ends.
            NO_OBJECT     | 0 |                    | Invalid output |   | The result of 'main' is not an object of JSON values.
            NOT_JSON      | 0 | is NaN\\ntotal     | Invalid output |   | The output 'total' is NaN, which JSON cannot represent.
            TOO_LONG      | 0 |                    | Output limit   |   | The result of 'main' is longer than 64 KiB of JSON.
            OUT_OF_TIME   | 3 |                    | Time limit     | 3 | Line 3: The code was stopped after 30 s of CPU time.
            EXHAUSTED     | 0 |                    | Memory limit   |   | The code exhausted its memory.
            INTERNAL      | 0 |                    | Code error     |   | The interpreter failed to run the code.
            SYNTAX        | 2 | SyntaxError: main.js:2:10 Expected ; but found }\\n  return {;\\n          ^ | Code error | 2 | Line 2: SyntaxError: Expected ; but found }\\n  return {;\\n          ^
            SYNTAX        | 4 | SyntaxError: main.mjs:4:0 Expected } but found eof\\n\\n^ | Code error | 4 | Line 4: SyntaxError: Expected } but found the end of the code
            SYNTAX        | 1 | IndentationError: unexpected indent (main.py, line 1) | Code error | 1 | Line 1: IndentationError: unexpected indent in the block that begins here
            """)
    void failuresAreDescribed(String kind, int at, String message, String title, Integer line, String detail)
            throws SandboxUnavailable {
        String body = kind + "\n" + at + "\n" + (message == null ? "" : message.replace("\\n", "\n"));
        SandboxRun.RunFailure failure = RunFailures.read(body.getBytes(StandardCharsets.UTF_8), LIMITS);
        assertThat(failure.title()).isEqualTo(title);
        assertThat(failure.detail()).isEqualTo(detail.replace("\\n", "\n"));
        assertThat(failure.line()).isEqualTo(line);
        assertThat(failure.message()).doesNotStartWith("Line ");
    }

    @ParameterizedTest
    @CsvSource({
        "3, 1, Memory limit, The code needed more than 256 MiB of memory.",
        "137, 1, Memory limit, The code needed more than 256 MiB of memory.",
        FrameCodec.OUT_OF_CPU_TIME + ", 31, Time limit, The code was stopped after 30 s of CPU time.",
        FrameCodec.WAITED_TOO_LONG + ", 31, Time limit, The code did not finish within 30 s.",
        "1, 31, Time limit, The code was stopped after 30 s of CPU time.",
        "1, 1, Code error, The code terminated its interpreter.",
    })
    void endsWithoutAnAnswerAreDescribed(int exitCode, int seconds, String title, String detail) {
        assertThat(RunFailures.died(exitCode, Duration.ofSeconds(seconds), LIMITS))
                .isEqualTo(new SandboxRun.RunFailure(title, detail, null));
    }

    @Test
    void aMissingThreadIsNotTheFaultOfTheCode() {
        assertThatThrownBy(() -> RunFailures.read("NO_THREAD\n0\n".getBytes(StandardCharsets.UTF_8), LIMITS))
                .isInstanceOf(SandboxUnavailable.class);
        assertThatThrownBy(() -> RunFailures.read("nonsense".getBytes(StandardCharsets.UTF_8), LIMITS))
                .isInstanceOf(SandboxUnavailable.class);
    }
}
