package dev.parley.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.SandboxPolicy;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/** JavaScript: {@code function main(inputs)}, or a module whose default export, or export main, is a function. */
final class JavaScriptRuntime extends LanguageRuntime {
    /**
     * Warming up counts towards the CPU limit and takes a fraction of a second; the service enforces shorter limits.
     */
    private static final long MIN_CPU_MILLIS = 2_000;

    private static final Pattern MODULE = Pattern.compile("(?m)^\\s*(?:export\\b|import\\s*[\\w$*{'\"])");

    /**
     * Runs before the code and keeps references to the built-ins that it needs, so that code which replaces JSON or
     * Promise affects only itself. Integers beyond 2^53 become BigInt, and a BigInt is written with all its digits. What
     * JSON.stringify writes as null, omits or writes without its content is a violation, for example NaN, an invalid
     * date, a function in a list, or a Map; an undefined member is missing. The names of outputs that are integers beyond
     * 2^53, which may have lost digits, precede the result. A promise that is pending when nothing is left to run never
     * settles, because there are no timers. The console writes lists and plain objects as JSON.
     */
    private static final String HARNESS = """
            (() => {
              const { parse, stringify, rawJSON } = JSON, { apply, getPrototypeOf } = Reflect, { create } = Object, Big = BigInt, Text = String;
              const { isFinite, isInteger, isSafeInteger } = Number, test = RegExp.prototype.test, digits = /^-?[0-9]+$/;
              const exec = RegExp.prototype.exec, then = Promise.prototype.then, P = Promise, Num = Number;
              const { isArray } = Array, base = Object.prototype, list = Array.prototype, tag = base.toString, vowel = /^[AEI]/;
              const opaque = /^\\[object ((?:Weak)?(?:Map|Set|Ref)|Promise|RegExp|Error|Date|Symbol|DataView|(?:Shared)?ArrayBuffer|[A-Za-z]+[0-9]+(?:Clamped)?Array|.*(?:Generator|Iterator).*|Intl[.].*)]$/;
              let state = 'pending', value, root, output, violation, rounded;
              const exact = (key, it, context) =>
                typeof it === 'number' && isInteger(it) && !isSafeInteger(it) && context
                  && apply(exec, digits, [context.source]) !== null ? Big(context.source) : it;
              // Objects whose content is not in their properties.
              function opaqueKind(it) {
                const kind = getPrototypeOf(it);
                if (kind === base || kind === list || kind === null) return undefined;
                const name = apply(tag, it, []), found = apply(exec, opaque, [name]);
                if (name === '[object Number]' && !isFinite(Num(it))) return Text(Num(it));
                return found === null ? undefined : (apply(exec, vowel, [found[1]]) === null ? 'a ' : 'an ') + found[1];
              }
              function flaw(it, holder, key) {
                switch (typeof it) {
                  case 'number': return isFinite(it) ? undefined : Text(it);
                  case 'object': return it !== null ? opaqueKind(it) : holder[key] !== null ? 'an invalid date' : undefined;
                  case 'undefined': return isArray(holder) ? 'undefined' : undefined;
                  // As an output it is missing, which is reported if it is declared.
                  case 'function': case 'symbol': return holder === root ? undefined : 'a ' + typeof it;
                }
              }
              function plain(key, it) {
                if (root === undefined) {
                  root = it;
                } else {
                  if (this === root) output = key;
                  if (this === root && typeof it === 'number' && isInteger(it) && !isSafeInteger(it))
                    (rounded ??= create(null))[key] = Text(it);
                  const wrong = flaw(it, this, key);
                  if (wrong !== undefined && violation === undefined)
                    violation = '!' + (this === root ? 'is ' : 'contains ') + wrong + '\\n' + output;
                }
                return typeof it !== 'bigint' ? it : this === root ? Text(it) : rawJSON(Text(it));
              }
              const keep = (key, it) => typeof it === 'bigint' ? Text(it) : it;
              function shown(it) {
                if (typeof it !== 'object' || it === null) return it;
                const kind = getPrototypeOf(it);
                try { return isArray(it) || kind === base || kind === null ? stringify(it, keep) : it; } catch { return it; }
              }
              for (const name of ['log', 'info', 'debug', 'warn', 'error']) {
                const write = console[name];
                if (typeof write === 'function') console[name] = (...all) => {
                  for (let i = 0; i < all.length; i++) all[i] = shown(all[i]);
                  apply(write, console, all);
                };
              }
              return {
                call(main, inputs) {
                  const made = main(parse(inputs, exact));
                  let promise = false;
                  try { apply(then, made, [(it) => { state = 'done'; value = it; }, (why) => { state = 'failed'; value = why; }]); promise = true; } catch { }
                  if (!promise) { state = 'done'; value = made; }
                },
                result() {
                  if (state === 'failed') throw value;
                  if (state === 'pending') return null;
                  if (typeof value === 'object' && value !== null && opaqueKind(value) !== undefined) return 0;
                  const text = stringify(value, plain);
                  if (text === undefined) return 0;
                  return violation !== undefined ? violation : rounded ? '~' + stringify(rounded) + '\\n' + text : text;
                },
              };
            })()""";

    private final Value call;
    private final Value result;

    JavaScriptRuntime(Context context, int resultBytes) {
        super(context, resultBytes);
        Value harness = context.eval(source(HARNESS, "harness.js", false));
        this.call = harness.getMember("call");
        this.result = harness.getMember("result");
    }

    static Context lock(Context.Builder builder, long cpuMillis) {
        return builder.sandbox(SandboxPolicy.CONSTRAINED)
                .option("sandbox.MaxCPUTime", Math.max(cpuMillis, MIN_CPU_MILLIS) + "ms")
                .option("js.esm-eval-returns-exports", "true")
                // As in Node.js: what fails without being awaited is not lost.
                .option("js.unhandled-rejections", "throw")
                .build();
    }

    @Override
    void warm() {
        context()
                .eval(source("(x) => { console.log(''); return JSON.stringify(JSON.parse(x)); }", "warm.js", false))
                .execute("{\"a\": [1, \"b\"]}");
    }

    @Override
    Source source(String text) {
        boolean module = isModule(text);
        return source(text, FILE + (module ? ".mjs" : ".js"), module);
    }

    private static boolean isModule(String text) {
        return MODULE.matcher(text).find();
    }

    @Override
    Value main(String text) {
        if (isModule(text)) {
            Value exports = context().eval(source(text));
            Value byDefault = exports.getMember("default");
            Value named = exports.getMember("main");
            return byDefault != null ? byDefault : named != null ? named : exports;
        }
        context().eval(source(text));
        return context().eval(source("typeof main === 'function' ? main : null", "find.js", false));
    }

    @Override
    Value call(Value main, String inputs) {
        call.executeVoid(main, inputs);
        return result.execute();
    }

    private static Source source(String text, String name, boolean module) {
        try {
            return Source.newBuilder("js", text, name)
                    .mimeType(module ? "application/javascript+module" : "application/javascript")
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
