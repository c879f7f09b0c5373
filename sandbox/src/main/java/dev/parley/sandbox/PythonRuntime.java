package dev.parley.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/** Python: {@code def main(inputs)}, which gets a dict and returns one. */
final class PythonRuntime extends LanguageRuntime {
    /**
     * Runs before the code, in a namespace that the code cannot reach. The code is the module {@code main}, so that a
     * block for {@code __main__} does not run. Values with one obvious text become it: Decimal, dates and times, UUID.
     * Dataclasses become objects. A coroutine is run until it ends; there is no event loop to wait for.
     */
    private static final String HARNESS = """
            def _make():
                import json, sys
                loads, dumps = json.loads, json.dumps
                code = sys.modules['__main__']
                code.__name__ = 'main'
                sys.modules['main'] = code
                pending = object()
                class Unfit(Exception):
                    pass
                def fields(value):
                    names = getattr(type(value), '__dataclass_fields__', None)
                    return None if names is None else {name: getattr(value, name) for name in names}
                def plain(value):
                    kind = type(value)
                    found = fields(value)
                    if found is not None:
                        return found
                    if callable(getattr(value, 'isoformat', None)):
                        return value.isoformat()
                    if (kind.__module__, kind.__name__) == ('uuid', 'UUID'):
                        return str(value)
                    if (kind.__module__, kind.__name__) == ('decimal', 'Decimal'):
                        if value.is_finite():
                            return str(value)
                        raise Unfit(value, str(value))
                    raise Unfit(value, 'of type ' + kind.__name__)
                def written(value):
                    text = dumps(value, allow_nan=False, ensure_ascii=False, default=plain)
                    text.encode()
                    return text
                def flaw(value):
                    try:
                        written(value)
                        return None
                    except Unfit as unfit:
                        return ('is ' if unfit.args[0] is value else 'contains a value ') + unfit.args[1]
                    except UnicodeEncodeError:
                        return 'contains half of a character (an unpaired surrogate)'
                    except ValueError:
                        text = dumps(value, default=plain)
                        return 'is ' + text if isinstance(value, float) else 'contains NaN or Infinity'
                def ended(coroutine):
                    while True:
                        try:
                            if coroutine.send(None) is not None:
                                return pending
                        except StopIteration as end:
                            return end.value
                def call(main, inputs):
                    made = main(loads(inputs))
                    if type(made).__name__ == 'coroutine':
                        made = ended(made)
                        if made is pending:
                            return None
                    made = made if fields(made) is None else fields(made)
                    try:
                        return written(made)
                    except (Unfit, ValueError):
                        if not isinstance(made, dict):
                            return 0
                        for name, value in made.items():
                            found = flaw(value)
                            if found is not None:
                                return '!' + found + '\\n' + str(name)
                        raise
                return call
            _made = _make()
            del _make
            _made
            """;

    private final Value call;

    PythonRuntime(Context context, int resultBytes) {
        super(context, resultBytes);
        this.call = context.eval(source(HARNESS, "harness.py"));
        context.getBindings("python").removeMember("_made");
    }

    static Context lock(Context.Builder builder) {
        return builder.option("python.PosixModuleBackend", "java")
                .option("python.DontWriteBytecodeFlag", "true")
                .option("python.NoUserSiteFlag", "true")
                .option("python.IsolateFlag", "true")
                .option("python.ForceImportSite", "false")
                .build();
    }

    @Override
    void warm() {
        Value warm = context().eval(source("(lambda x: x)", "warm.py"));
        call.execute(warm, "{\"a\": [1, \"b\"]}");
    }

    @Override
    Source source(String text) {
        return source(text, FILE + ".py");
    }

    @Override
    Value main(String text) {
        context().eval(source(text));
        Value main = context().getBindings("python").getMember("main");
        return main == null ? context().asValue(0) : main;
    }

    @Override
    Value call(Value main, String inputs) {
        return call.execute(main, inputs);
    }

    private static Source source(String text, String name) {
        try {
            return Source.newBuilder("python", text, name).build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
