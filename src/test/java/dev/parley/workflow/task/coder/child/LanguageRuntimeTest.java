package dev.parley.workflow.task.coder.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.graalvm.polyglot.Engine;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The interpreters in this process: the values, errors and console of code. */
class LanguageRuntimeTest {
    private static final String PYTHON = "python";
    private static final ConsoleCapture PYTHON_CONSOLE = new ConsoleCapture(1_000);

    /** Shared, because its start takes seconds; without the assertions of the interpreters, as in production. */
    private static LanguageRuntime python;

    @BeforeAll
    static void startPython() {
        Engine.class.getClassLoader().setPackageAssertionStatus("com.oracle", false);
        python = runtime(PYTHON, PYTHON_CONSOLE);
    }

    private static LanguageRuntime python() {
        python.context().getBindings(PYTHON).removeMember("main");
        PYTHON_CONSOLE.clear();
        return python;
    }

    private static LanguageRuntime javaScript() {
        return runtime("js", new ConsoleCapture(1_000));
    }

    private static LanguageRuntime runtime(String language, ConsoleCapture console) {
        LanguageRuntime runtime = LanguageRuntime.of(language, console, 64 << 10, 60_000);
        console.clear();
        return runtime;
    }

    private static String text(ConsoleCapture console) {
        return new String(console.take(), StandardCharsets.UTF_8);
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
    void mainIsFoundHoweverItIsWritten(String source) {
        assertThat(javaScript().run(source, "{\"a\": 1}")).isEqualTo(CodeOutcome.result("{\"a\":2}"));
    }

    @Test
    void pythonGetsItsInputsAndReturnsItsOutputs() {
        CodeOutcome outcome = python().run(
                        """
                import math, re, datetime, statistics, csv, io

                def main(inputs):
                    print('adding', len(inputs['list']))
                    return {'sum': sum(inputs['list']), 'name': inputs['name'] + '!', 'big': inputs['big'] + 1}
                """, "{\"list\": [1, 2, 3.5], \"name\": \"Zoë\", \"big\": 123456789012345678901234567890}");
        assertThat(outcome.failure()).isNull();
        assertThat(outcome.text())
                .isEqualTo("{\"sum\": 6.5, \"name\": \"Zo\\u00eb!\", \"big\": 123456789012345678901234567891}");
        assertThat(text(PYTHON_CONSOLE)).isEqualTo("adding 3\n");
    }

    @Test
    void integersBeyondADoubleStayExactInJavaScript() {
        CodeOutcome outcome = javaScript()
                .run(
                        "function main(inputs) { return { next: inputs.big + 1n, kind: typeof inputs.small }; }",
                        "{\"big\": 9007199254740993, \"small\": 1}");
        assertThat(outcome).isEqualTo(CodeOutcome.result("{\"next\":\"9007199254740994\",\"kind\":\"number\"}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            JS     | function main() {\\n\\n  throw new Error('no rate'); }       | THREW         | 3 | no rate
            JS     | function main( {                                            | SYNTAX        | 1 | SyntaxError
            JS     | function other() {}                                         | NO_MAIN       | 0 |
            JS     | function main() { return 5; }                               | NO_OBJECT     | 0 |
            JS     | function main() { }                                         | NO_OBJECT     | 0 |
            JS     | function main() { return null; }                            | NO_OBJECT     | 0 |
            JS     | function main() { return [1]; }                             | NO_OBJECT     | 0 |
            JS     | function main() { return { total: 0 / 0 }; }                | NOT_FINITE    | 0 | is NaN\\ntotal
            JS     | function main() { return { a: 1, b: [{ c: -1 / 0 }] }; }    | NOT_FINITE    | 0 | contains -Infinity\\nb
            JS     | function main() { return NaN; }                             | NO_OBJECT     | 0 |
            JS     | function main() { return new Promise(() => {}); }           | NEVER_SETTLED | 0 |
            JS     | async function main() {\\n throw new TypeError('late'); }   | THREW         | 2 | late
            JS     | function main() { return { a: 'x'.repeat(70000) }; }        | TOO_LONG      | 0 |
            PYTHON | def main(inputs):\\n  x = 1\\n  raise ValueError('no rate') | THREW         | 3 | no rate
            PYTHON | def main(inputs:                                            | SYNTAX        | 1 | SyntaxError
            PYTHON | x = 1                                                       | NO_MAIN       | 0 |
            PYTHON | def main(inputs):\\n  return [1]                            | NO_OBJECT     | 0 |
            PYTHON | def main(inputs):\\n  return {'a'\\: {1, 2}}                | THREW         | 0 | not JSON serializable
            PYTHON | def main(inputs):\\n  return {'a'\\: float('nan')}          | NOT_FINITE    | 0 | is NaN\\na
            PYTHON | def main(inputs):\\n  return {'a'\\: [float('inf')]}        | NOT_FINITE    | 0 | contains NaN or Infinity\\na
            PYTHON | import sys\\ndef main(inputs):\\n  sys.exit(0)              | EXITED        | 0 |
            """)
    void errorsAreReportedWithTheirLine(
            String language, String source, FrameCodec.FailureKind failure, int line, String said) {
        CodeOutcome outcome = runtime(language).run(plain(source), "{}");
        assertThat(outcome.failure()).isEqualTo(failure);
        assertThat(outcome.text())
                .contains(said == null ? "" : plain(said))
                .doesNotContain("org.graal", "dev.parley", "java.");
        if (line > 0) {
            assertThat(outcome.line()).isEqualTo(line);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            JS     | function main() {\\n  return {;\\n}        | 2
            JS     | export function main() {\\n  return {;\\n} | 2
            PYTHON | def main(inputs):\\n  return ]             | 2
            PYTHON | def main(inputs):\\n  x = 1\\n    y = 2    | 1
            """)
    void codeThatDoesNotParseIsNotRun(String language, String source, int line) {
        CodeOutcome outcome = runtime(language).check(plain(source));
        assertThat(outcome.failure()).isEqualTo(FrameCodec.FailureKind.SYNTAX);
        assertThat(outcome.line()).isEqualTo(line);
    }

    @Test
    void endlessLoopIsReportedWithItsLine() {
        LanguageRuntime runtime = LanguageRuntime.of("js", new ConsoleCapture(1_000), 64 << 10, 2_000);
        CodeOutcome outcome = runtime.run("function main() {\n\n  for (;;);\n}", "{}");
        assertThat(outcome.failure()).isEqualTo(FrameCodec.FailureKind.OUT_OF_TIME);
        assertThat(outcome.line()).isEqualTo(3);
    }

    @Test
    void consoleWritesListsAndObjectsAsJson() {
        var console = new ConsoleCapture(1_000);
        var _ = runtime("js", console).run("""
                function main() {
                  const round = {}; round.self = round;
                  console.log('made', { total: 5n, items: [1, 'two'] }, [true], null);
                  console.error(round, new Error('late'));
                  return {};
                }""", "{}");
        assertThat(text(console)).isEqualTo("""
                made {"total":"5","items":[1,"two"]} [true] null
                [object Object] Error: late
                """);
    }

    private static LanguageRuntime runtime(String language) {
        return language.equals("JS") ? javaScript() : python();
    }

    private static String plain(String escaped) {
        return escaped.replace("\\n", "\n").replace("\\:", ":");
    }
}
