package dev.parley.workflow.task.coder.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.Tenant;
import dev.parley.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The inputs and results of code, and the reports of its errors. */
class SandboxTest {
    private static final long BAR_MILLIS = 50;

    /** Has generous time limits, because code runs at the lowest priority. */
    private static Sandbox sandbox;

    private static Sandbox hasty;

    @BeforeAll
    static void open() {
        sandbox = TestSandbox.sandbox(Map.of(Setting.PARLEY_CODER_TIME_LIMIT, "60s"));
        hasty = TestSandbox.sandbox(Map.of(Setting.PARLEY_CODER_TIME_LIMIT, "1s", Setting.PARLEY_CODER_POOL, "0"));
        TestSandbox.awaitReady(sandbox);
    }

    @AfterAll
    static void close() {
        sandbox.close();
        hasty.close();
    }

    @Test
    void javaScriptGetsItsInputsAndReturnsItsOutputs() throws Exception {
        SandboxRun run = sandbox.run(
                TestSandbox.ORGANIZATION, CodeLanguage.JAVASCRIPT, """
                function main(inputs) {
                  console.log('adding', inputs.list.length);
                  return { sum: inputs.list.reduce((a, b) => a + b, 0), name: inputs.name + '!' };
                }""", "{\"list\": [1, 2, 3.5], \"name\": \"Zoë\"}");
        assertThat(run.failure()).isNull();
        assertThat(run.result()).isEqualTo("{\"sum\":6.5,\"name\":\"Zoë!\"}");
        assertThat(run.console()).isEqualTo("adding 3\n");
    }

    /** In an idle control group, or with the lowest autogroup priority. */
    @Test
    void codeRunsAtTheLowestPriority() throws Exception {
        Path own = Path.of("/proc/self/autogroup");
        assumeTrue(
                IdleCgroup.open().isPresent()
                        || (Files.isReadable(own)
                                && HostTools.ofEnvironment().find("setsid").isPresent()),
                "no groups here");
        String before = Files.readString(own);
        Thread loop = Thread.ofVirtual().start(() -> {
            try {
                var _ = sandbox.run(
                        TestSandbox.ORGANIZATION, CodeLanguage.JAVASCRIPT, "function main() { for (;;); }", "{}");
            } catch (InterruptedException | SandboxUnavailable _) {
                // The process has already exited.
            }
        });
        var _ = Tenant.eventually(
                () -> ProcessHandle.current()
                        .descendants()
                        .filter(SandboxTest::isLast)
                        .count(),
                last -> last > 0);
        assertThat(Files.readString(own)).as("the service's own group").isEqualTo(before);
        assertThat(isLast(ProcessHandle.current())).isFalse();
        loop.interrupt();
        loop.join();
    }

    private static boolean isLast(ProcessHandle process) {
        return IdleCgroup.open().isPresent()
                ? read(process, "cgroup").contains("parley-coder")
                : read(process, "autogroup").strip().endsWith("nice 19");
    }

    private static String read(ProcessHandle process, String file) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid(), file));
        } catch (IOException _) {
            return "";
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            export default function main(inputs) { return { a: inputs.a + 1 }; }
            export default (inputs) => ({ a: inputs.a + 1 });
            export function main(inputs) { return { a: inputs.a + 1 }; }
            const main = (inputs) => ({ a: inputs.a + 1 });
            export default async function (inputs) { await null; return { a: await Promise.resolve(inputs.a + 1) }; }
            async function main(inputs) { for (let i = 0; i < 10; i++) await i; return { a: inputs.a + 1 }; }
            """)
    void mainIsFoundHoweverItIsWritten(String source) throws Exception {
        SandboxRun run = sandbox.run(TestSandbox.ORGANIZATION, CodeLanguage.JAVASCRIPT, source, "{\"a\": 1}");
        assertThat(run.failure()).isNull();
        assertThat(run.result()).isEqualTo("{\"a\":2}");
    }

    @Test
    void pythonGetsItsInputsAndReturnsItsOutputs() throws Exception {
        SandboxRun run = TestSandbox.run(
                sandbox,
                CodeLanguage.PYTHON,
                """
                import math, re, datetime, statistics, csv, io

                def main(inputs):
                    print('adding', len(inputs['list']))
                    return {'sum': sum(inputs['list']), 'name': inputs['name'] + '!', 'big': inputs['big'] + 1}
                """,
                "{\"list\": [1, 2, 3.5], \"name\": \"Zoë\", \"big\": 123456789012345678901234567890}");
        assertThat(run.failure()).isNull();
        assertThat(run.result())
                .isEqualTo("{\"sum\": 6.5, \"name\": \"Zo\\u00eb!\", \"big\": 123456789012345678901234567891}");
        assertThat(run.console()).isEqualTo("adding 3\n");
    }

    @Test
    void integersBeyondADoubleStayExactInJavaScript() throws Exception {
        SandboxRun run = TestSandbox.run(
                sandbox,
                CodeLanguage.JAVASCRIPT,
                "function main(inputs) { return { next: inputs.big + 1n, kind: typeof inputs.small }; }",
                "{\"big\": 9007199254740993, \"small\": 1}");
        assertThat(run.failure()).isNull();
        assertThat(run.result()).isEqualTo("{\"next\":\"9007199254740994\",\"kind\":\"number\"}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            JAVASCRIPT | function main() {\\n\\n  throw new Error('no rate'); }       | Code error     | 3 | no rate
            JAVASCRIPT | function main( {                                            | Code error     | 1 | SyntaxError
            JAVASCRIPT | function other() {}                                         | Code error     |   | no function 'main'
            JAVASCRIPT | function main() { return 5; }                               | Invalid output |   | not an object
            JAVASCRIPT | function main() { }                                         | Invalid output |   | not an object
            JAVASCRIPT | function main() { return null; }                            | Invalid output |   | not an object
            JAVASCRIPT | function main() { return [1]; }                             | Invalid output |   | not an object
            JAVASCRIPT | function main() { return { total: 0 / 0 }; }               | Invalid output |   | The output 'total' is NaN, which JSON cannot represent.
            JAVASCRIPT | function main() { return { a: 1, b: [{ c: -1 / 0 }] }; }    | Invalid output |   | The output 'b' contains -Infinity,
            JAVASCRIPT | function main() { return NaN; }                             | Invalid output |   | not an object
            JAVASCRIPT | function main() { return new Promise(() => {}); }           | Code error     |   | never settles
            JAVASCRIPT | async function main() {\\n throw new TypeError('late'); }   | Code error     | 2 | late
            JAVASCRIPT | function main() { return { a: 'x'.repeat(70000) }; }        | Output limit   |   | 64 KiB
            PYTHON     | def main(inputs):\\n  x = 1\\n  raise ValueError('no rate') | Code error     | 3 | no rate
            PYTHON     | def main(inputs:                                            | Code error     | 1 | SyntaxError
            PYTHON     | x = 1                                                       | Code error     |   | no function 'main'
            PYTHON     | def main(inputs):\\n  return [1]                            | Invalid output |   | not an object
            PYTHON     | def main(inputs):\\n  return {'a'\\: {1, 2}}                | Code error     |   | not JSON serializable
            PYTHON     | def main(inputs):\\n  return {'a'\\: float('nan')}          | Invalid output |   | The output 'a' is NaN, which JSON cannot represent.
            PYTHON     | def main(inputs):\\n  return {'a'\\: [float('inf')]}        | Invalid output |   | The output 'a' contains NaN or Infinity,
            PYTHON     | import sys\\ndef main(inputs):\\n  sys.exit(0)              | Code error     |   | called exit
            """)
    void errorsAreReportedWithTheirLine(CodeLanguage language, String source, String title, Integer line, String said)
            throws Exception {
        SandboxRun run = sandbox.run(
                TestSandbox.ORGANIZATION, language, source.replace("\\n", "\n").replace("\\:", ":"), "{}");
        assertThat(run.result()).isNull();
        assertThat(run.failure().title()).isEqualTo(title);
        assertThat(run.failure().detail()).contains(said).doesNotContain("org.graal", "dev.parley", "java.");
        if (line != null) {
            assertThat(run.failure().line()).isEqualTo(line);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            JAVASCRIPT | export function main() {\\n  const t = `x; | Line 2: SyntaxError: Missing close quote\\n  const t = `x;\\n               ^
            JAVASCRIPT | function main() {\\n  if (true) {\\n}\\n | Line 4: SyntaxError: Expected } but found the end of the code
            PYTHON     | def main(inputs):\\n  x = 1\\n    y = 2  | Line 1: IndentationError: unexpected indent in the block that begins here
            """)
    void syntaxErrorsSayWhatIsWrong(CodeLanguage language, String source, String detail) throws Exception {
        SandboxRun.RunFailure failure = sandbox.check(TestSandbox.ORGANIZATION, language, source.replace("\\n", "\n"))
                .orElseThrow();
        assertThat(failure.detail()).isEqualTo(detail.replace("\\n", "\n"));
    }

    @Test
    void consoleWritesListsAndObjectsAsJson() throws Exception {
        SandboxRun run = TestSandbox.run(sandbox, CodeLanguage.JAVASCRIPT, """
                function main() {
                  const round = {}; round.self = round;
                  console.log('made', { total: 5n, items: [1, 'two'] }, [true], null);
                  console.error(round, new Error('late'));
                  return {};
                }""", "{}");
        assertThat(run.console()).isEqualTo("""
                made {"total":"5","items":[1,"two"]} [true] null
                [object Object] Error: late
                """);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            JAVASCRIPT | function main() {\\n  return {;\\n}        | Line 2: SyntaxError:
            JAVASCRIPT | export function main() {\\n  return {;\\n} | Line 2: SyntaxError:
            PYTHON     | def main(inputs):\\n  return ]             | Line 2: SyntaxError:
            """)
    void syntaxErrorsNameTheirLineOnce(CodeLanguage language, String source, String begin) throws Exception {
        SandboxRun.RunFailure failure = sandbox.check(TestSandbox.ORGANIZATION, language, source.replace("\\n", "\n"))
                .orElseThrow();
        assertThat(failure.line()).isEqualTo(2);
        assertThat(failure.detail()).startsWith(begin).doesNotContain("main.", "line 2");
    }

    /** In bytes; a letter may take two. */
    @Test
    void overlongInputsAreReported() throws Exception {
        String source = "function main(inputs) { return { length: inputs.a.length }; }";
        String half = "é".repeat(3 << 20);
        SandboxRun most = sandbox.run(
                TestSandbox.ORGANIZATION, CodeLanguage.JAVASCRIPT, source, "{\"a\": \"%s\"}".formatted(half));
        SandboxRun run = sandbox.run(
                TestSandbox.ORGANIZATION,
                CodeLanguage.JAVASCRIPT,
                source,
                "{\"a\": \"%s\", \"b\": \"%s\"}".formatted(half, half));
        assertThat(most.result()).isEqualTo("{\"length\":" + (3 << 20) + "}");
        assertThat(run.failure().title()).isEqualTo("Input limit");
        assertThat(run.failure().detail()).isEqualTo("The inputs of the code are longer than 8 MiB of JSON.");
    }

    @Test
    void aConsoleIsKeptUpToItsLimitAndAlsoWhenTheCodeFails() throws Exception {
        SandboxRun run = TestSandbox.run(
                sandbox,
                CodeLanguage.JAVASCRIPT,
                "function main() { for (let i = 0; i < 20000; i++) console.log('line ' + i); throw new Error('x'); }",
                "{}");
        assertThat(run.console()).hasSize(Sandbox.CONSOLE_BYTES).startsWith("line 0\nline 1\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            JAVASCRIPT | function main() { console.log('begun');\\n for (;;); }
            JAVASCRIPT | function main() { console.log('begun'); [1, 2].sort(() => { for (;;); }); }
            PYTHON     | def main(inputs):\\n  print('begun')\\n  while True: pass
            """)
    void consoleOutputIsKeptAtTheTimeLimit(CodeLanguage language, String source) throws Exception {
        SandboxRun run = hasty.run(TestSandbox.ORGANIZATION, language, source.replace("\\n", "\n"), "{}");
        assertThat(run.failure().title()).isEqualTo("Time limit");
        assertThat(run.console()).isEqualTo("begun\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            JAVASCRIPT | function main() { console.log('begun'); const a = []; for (;;) a.push(new Uint8Array(8e6)); }
            PYTHON     | def main(inputs):\\n  print('begun')\\n  a = []\\n  while True: a.append(bytearray(8000000))
            """)
    void consoleOutputIsKeptAtTheMemoryLimit(CodeLanguage language, String source) throws Exception {
        SandboxRun run = sandbox.run(TestSandbox.ORGANIZATION, language, source.replace("\\n", "\n"), "{}");
        assertThat(run.failure().title()).isEqualTo("Memory limit");
        assertThat(run.console()).isEqualTo("begun\n");
    }

    @Test
    void anEndlessLoopIsReportedWithItsLine() throws Exception {
        SandboxRun run = hasty.run(
                TestSandbox.ORGANIZATION, CodeLanguage.JAVASCRIPT, "function main() {\n\n  for (;;);\n}", "{}");
        // Without the line if the process got too little CPU time and had to be killed.
        assertThat(run.failure().detail())
                .isIn(
                        "Line 3: The code was stopped after 1 s of CPU time.",
                        "The code was stopped after 1 s of CPU time.",
                        "The code did not finish within 1 s.");
    }

    @Test
    void runsShareNoState() throws Exception {
        String source = "function main() { globalThis.kept = (globalThis.kept ?? 0) + 1; Object.prototype.left = 1; "
                + "return { kept: globalThis.kept }; }";
        assertThat(sandbox.run(TestSandbox.ORGANIZATION, CodeLanguage.JAVASCRIPT, source, "{}")
                        .result())
                .isEqualTo("{\"kept\":1}");
        assertThat(sandbox.run(TestSandbox.ORGANIZATION, CodeLanguage.JAVASCRIPT, source, "{}")
                        .result())
                .isEqualTo("{\"kept\":1}");
    }

    @Test
    void warmJavaScriptTakesUnder50Milliseconds() throws Exception {
        String source = "function main(inputs) { return { a: inputs.a }; }";
        long best = Long.MAX_VALUE;
        // Repeated until no other process uses the CPU, because user code runs at the lowest priority.
        for (int i = 0; i < 50 && best >= BAR_MILLIS; i++) {
            sandbox.expect(CodeLanguage.JAVASCRIPT);
            Tenant.eventually(() -> sandbox.waiting(CodeLanguage.JAVASCRIPT), waiting -> waiting > 0);
            long begun = System.nanoTime();
            assertThat(sandbox.run(TestSandbox.ORGANIZATION, CodeLanguage.JAVASCRIPT, source, "{\"a\": 1}")
                            .result())
                    .isEqualTo("{\"a\":1}");
            best = Math.min(best, (System.nanoTime() - begun) / 1_000_000);
        }
        assertThat(best).isLessThan(BAR_MILLIS);
    }

    @Test
    void theTimeTakenExcludesTheStartOfTheInterpreter() throws Exception {
        long begun = System.nanoTime();
        SandboxRun run = TestSandbox.run(hasty, CodeLanguage.PYTHON, "def main(inputs): return {}", "{}");
        Duration waited = Duration.ofNanos(System.nanoTime() - begun);

        assertThat(run.result()).isEqualTo("{}");
        assertThat(run.took()).isPositive().isLessThan(waited.dividedBy(2));
    }

    @Test
    void anInterruptEndsTheCode() throws Exception {
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                sandbox.run(TestSandbox.ORGANIZATION, CodeLanguage.JAVASCRIPT, "function main() { for (;;); }", "{}");
            } catch (InterruptedException | SandboxUnavailable _) {
                Thread.currentThread().interrupt();
            }
        });
        Tenant.eventually(SandboxTest::busy, busy -> busy);
        thread.interrupt();
        assertThat(thread.join(java.time.Duration.ofSeconds(2))).isTrue();
        Tenant.eventually(SandboxTest::busy, busy -> !busy);
    }

    private static boolean busy() {
        return sandbox.running() > 0;
    }
}
