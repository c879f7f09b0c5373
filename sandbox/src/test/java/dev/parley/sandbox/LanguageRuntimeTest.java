package dev.parley.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.graalvm.polyglot.Engine;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
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
                .isEqualTo("{\"sum\": 6.5, \"name\": \"Zoë!\", \"big\": 123456789012345678901234567891}");
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
            JS     | function main() { return { total: 0 / 0 }; }                | NOT_JSON      | 0 | is NaN\\ntotal
            JS     | function main() { return { a: 1, b: [{ c: -1 / 0 }] }; }    | NOT_JSON      | 0 | contains -Infinity\\nb
            JS     | function main() { return NaN; }                             | NO_OBJECT     | 0 |
            JS     | function main() { return new Promise(() => {}); }           | NEVER_SETTLED | 0 |
            JS     | async function main() {\\n throw new TypeError('late'); }   | THREW         | 2 | late
            JS     | function main() { return { a: 'x'.repeat(70000) }; }        | TOO_LONG      | 0 |
            PYTHON | def main(inputs):\\n  x = 1\\n  raise ValueError('no rate') | THREW         | 3 | no rate
            PYTHON | def main(inputs:                                            | SYNTAX        | 1 | SyntaxError
            PYTHON | x = 1                                                       | NO_MAIN       | 0 |
            PYTHON | def main(inputs):\\n  return [1]                            | NO_OBJECT     | 0 |
            PYTHON | def main(inputs):\\n  return {'a'\\: {1, 2}}                | NOT_JSON      | 0 | is of type set\\na
            PYTHON | def main(inputs):\\n  return {'a'\\: float('nan')}          | NOT_JSON      | 0 | is NaN\\na
            PYTHON | def main(inputs):\\n  return {'a'\\: [float('inf')]}        | NOT_JSON      | 0 | contains NaN or Infinity\\na
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

    /** What people write elsewhere. docs/guides/code.md has the table. */
    @ParameterizedTest
    @Tag("all")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            JS     | function main() { return { id: 9007199254740993n } }              | {"id":"9007199254740993"}
            JS     | function main() { return { at: new Date(0) } }                    | {"at":"1970-01-01T00:00:00.000Z"}
            JS     | function main() { return { at: new Date('x') } }                  | NOT_JSON is an invalid date\\nat
            JS     | function main() { return { a: [new Date('x')] } }                 | NOT_JSON contains an invalid date\\na
            JS     | function main() { return { a: null, b: [null], c: { d: undefined }, e: undefined } } | {"a":null,"b":[null],"c":{}}
            JS     | function main() { return { b: [null, undefined] } }               | NOT_JSON contains undefined\\nb
            JS     | function main() { return { b: { c: [1, , 2] } } }                 | NOT_JSON contains undefined\\nb
            JS     | function main() { return { a: new Map([['a', 1]]) } }             | NOT_JSON is a Map\\na
            JS     | function main() { return { ok: 1, a: [{ b: new Set([1]) }] } }    | NOT_JSON contains a Set\\na
            JS     | class M extends Map {} function main() { return { a: [new M()] } } | NOT_JSON contains a Map\\na
            JS     | function main() { return { a: [new WeakMap()] } }                 | NOT_JSON contains a WeakMap\\na
            JS     | function main() { return { a: new Uint8Array([1]) } }             | NOT_JSON is a Uint8Array\\na
            JS     | function main() { return { a: [new Uint8ClampedArray(1)] } }      | NOT_JSON contains a Uint8ClampedArray\\na
            JS     | function main() { return { a: [new BigInt64Array(1)] } }          | NOT_JSON contains a BigInt64Array\\na
            JS     | function main() { return { a: { b: new ArrayBuffer(1) } } }       | NOT_JSON contains an ArrayBuffer\\na
            JS     | function main() { return { a: /x/ } }                             | NOT_JSON is a RegExp\\na
            JS     | function main() { return { a: [new TypeError('x')] } }            | NOT_JSON contains an Error\\na
            JS     | function main() { return { a: [Promise.resolve(1)] } }            | NOT_JSON contains a Promise\\na
            JS     | function main() { return { a: [new Map().keys()] } }              | NOT_JSON contains a Map Iterator\\na
            JS     | function main() { return { a: (function* () {})() } }             | NOT_JSON is a Generator\\na
            JS     | function main() { return { a: { b() {} } } }                      | NOT_JSON contains a function\\na
            JS     | function main() { return { a: [Symbol('x')] } }                   | NOT_JSON contains a symbol\\na
            JS     | function main() { return { a: [new Number(NaN)] } }               | NOT_JSON contains NaN\\na
            JS     | function main() { return { a: [new Number(1), new String('x'), Object.create(null)] } } | {"a":[1,"x",{}]}
            JS     | function main() { return { a: [new Date(0)], b: { c: 9007199254740993n } } } | {"a":["1970-01-01T00:00:00.000Z"],"b":{"c":9007199254740993}}
            JS     | class P { constructor() { this.x = 1 } get [Symbol.toStringTag]() { return 'P' } } function main() { return { a: new P() } } | {"a":{"x":1}}
            JS     | Object.prototype.toString = () => ''; RegExp.prototype.exec = () => null; function main() { return { a: [new Set()] } } | NOT_JSON contains a Set\\na
            JS     | function main() { return new Set([1]) }                           | NO_OBJECT
            JS     | function main() { return new Error('x') }                         | NO_OBJECT
            JS     | function main() { return new Map([['a', 1]]) }                    | NO_OBJECT
            JS     | class R { constructor() { this.a = 1 } } function main() { return new R() } | {"a":1}
            JS     | function main() { Promise.reject(new Error('lost')); return {} }  | THREW lost
            JS     | async function main() { try { await Promise.reject(1) } catch { return { a: 1 } } } | {"a":1}
            JS     | async function main() { const p = Promise.reject(1); await null; try { await p } catch {} return { a: 1 } } | {"a":1}
            JS     | function main() { process.exit(0) }                               | THREW process is not defined
            JS     | const fs = require('fs'); function main() { return {} }           | THREW require is not defined
            JS     | import _ from 'lodash';\\nexport default () => ({})               | THREW lodash
            JS     | export default function main() {\\r\\n\\treturn { a: 1 };\\r\\n}\\r\\n | {"a":1}
            JS     | import fs from 'fs'\\nfunction main() { return {} }                  | THREW fs
            JS     | \\uFEFFexport default () => ({ a: 1 })                           | {"a":1}
            JS     | function main() { return main() }                                 | THREW Maximum call stack
            JS     | const a = {}; a.a = a; function main() { return a }               | THREW circular
            JS     | function main() { return { a: 0.1 + 0.2, b: -0, c: 5e-324 } }     | {"a":0.30000000000000004,"b":0,"c":5e-324}
            JS     | function main() { return { id: 9007199254740993, n: 9007199254740991 } } | ~{"id":"9007199254740992"}\\n{"id":9007199254740992,"n":9007199254740991}
            PYTHON | from decimal import Decimal\\ndef main(i):\\n return {'a': Decimal('10.10')} | {"a": "10.10"}
            PYTHON | from decimal import Decimal\\ndef main(i):\\n return {'a': Decimal('NaN')}   | NOT_JSON is NaN\\na
            PYTHON | import datetime as d\\ndef main(i):\\n return {'a': d.datetime(2026,1,2,tzinfo=d.timezone.utc), 'b': d.date(2026,1,2)} | {"a": "2026-01-02T00:00:00+00:00", "b": "2026-01-02"}
            PYTHON | import datetime as d\\ndef main(i):\\n return {'a': d.timedelta(1)}          | NOT_JSON is of type timedelta\\na
            PYTHON | from dataclasses import dataclass\\n@dataclass\\nclass R:\\n a: 'int'\\ndef main(i):\\n return R(1) | {"a": 1}
            PYTHON | def main(i):\\n return {'a': b'x'}                                  | NOT_JSON is of type bytes\\na
            PYTHON | def main(i):\\n return {'a': [{1}]}                                 | NOT_JSON contains a value of type set\\na
            PYTHON | def main(i):\\n return {'a': {'b': frozenset()}}                     | NOT_JSON contains a value of type frozenset\\na
            PYTHON | from collections import deque\\ndef main(i):\\n return {'a': deque([1])} | NOT_JSON is of type deque\\na
            PYTHON | def main(i):\\n return {'a': [range(2)]}                            | NOT_JSON contains a value of type range\\na
            PYTHON | def main(i):\\n return {'a': [x for x in [1]], 'b': (x for x in [1])} | NOT_JSON is of type generator\\nb
            PYTHON | def main(i):\\n return {'a': {1: 2}.values()}                       | NOT_JSON is of type dict_values\\na
            PYTHON | def main(i):\\n return {'a': [1j]}                                  | NOT_JSON contains a value of type complex\\na
            PYTHON | from fractions import Fraction\\ndef main(i):\\n return {'a': Fraction(1, 3)} | NOT_JSON is of type Fraction\\na
            PYTHON | from decimal import Decimal\\ndef main(i):\\n return {'a': [{'b': Decimal('sNaN')}]} | NOT_JSON contains a value sNaN\\na
            PYTHON | def main(i):\\n return {'a': [ValueError('x')]}                     | NOT_JSON contains a value of type ValueError\\na
            PYTHON | def main(i):\\n return {'a': {float('nan')\\: 1}}                   | NOT_JSON contains NaN or Infinity\\na
            PYTHON | from collections import namedtuple\\ndef main(i):\\n return {'a': [namedtuple('P', 'x y')(1, 2)]} | {"a": [[1, 2]]}
            PYTHON | def main(i):\\n return {'a': (1, 2), 'b': {1: 'x', True: 'y'}}      | {"a": [1, 2], "b": {"1": "y"}}
            PYTHON | def main(i):\\n return {'a': {(1, 2): 3}}                           | THREW keys must be
            PYTHON | def main(i):\\n return {1, 2}                                       | NO_OBJECT
            PYTHON | def main(i):\\n return {'a': '\\ud800'}                             | NOT_JSON contains half of a character (an unpaired surrogate)\\na
            PYTHON | async def helper():\\n return 1\\nasync def main(i):\\n return {'a': await helper()} | {"a": 1}
            PYTHON | async def main(i):\\n return None                                   | NO_OBJECT
            PYTHON | import asyncio\\nasync def main(i):\\n await asyncio.sleep(1)        | THREW no running event loop
            PYTHON | import sys\\ndef main(i):\\n return {'a': 1}\\nif __name__ == '__main__':\\n sys.exit(main()) | {"a": 1}
            PYTHON | import requests\\ndef main(i):\\n return {}                          | THREW No module named 'requests'
            PYTHON | import numpy as np\\ndef main(i):\\n return {}                       | THREW No module named 'numpy'
            PYTHON | def main(i):\\r\\n\\treturn {'a': 1}\\r\\n                              | {"a": 1}
            PYTHON | \\uFEFFdef main(i):\\n return {'a': 1}                               | {"a": 1}
            PYTHON | def main(i):\\n return {'a': input()}                               | THREW EOF
            PYTHON | def main(i):\\n return main(i)                                      | THREW recursion
            PYTHON | def main(i):\\n return {'a': 2**64, 'b': 1e16, 'c': None}           | {"a": 18446744073709551616, "b": 1e+16, "c": null}
            PYTHON | def main(i):\\n return {'a': '中' * 20000}                          | `{"a": "中中中`
            PYTHON | def main(i):\\n return {'a': '中' * 25000}                          | TOO_LONG
            PYTHON | ``                                                               | NO_MAIN
            JS     | ``                                                               | NO_MAIN
            """)
    void codeFromElsewhereRunsOrSaysWhyNot(String language, String source, String expected) {
        CodeOutcome outcome = runtime(language)
                .run(plain(source).replace("\\r", "\r").replace("\\t", "\t").replace("\\uFEFF", "\uFEFF"), "{}");
        String got = outcome.failure() == null ? outcome.text() : outcome.failure() + " " + outcome.text();
        String[] wanted = plain(expected).split(" ", 2);
        if (expected.startsWith("{") || expected.startsWith("~")) {
            assertThat(got).startsWith(plain(expected));
        } else {
            assertThat(got).startsWith(wanted[0]).contains(wanted.length > 1 ? wanted[1] : "");
        }
    }

    @ParameterizedTest
    @CsvSource({"JS, console.log('é😀')", "PYTHON, print('é😀')"})
    void theConsoleWritesEveryCharacterAndEndsWithAWholeOne(String language, String print) {
        for (int room : List.of(1_000, 8, 5, 3)) {
            var console = new ConsoleCapture(room);
            if (language.equals("JS")) {
                var _ = runtime("js", console).run(print + "; function main() { return {} }", "{}");
                assertThat("é😀\n").startsWith(text(console));
            } else if (room == 1_000) {
                var _ = python().run(print + "\ndef main(i):\n return {}", "{}");
                assertThat(text(PYTHON_CONSOLE)).isEqualTo("é😀\n");
            }
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
