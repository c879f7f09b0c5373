package dev.parley.workflow.task.coder.child;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/** Python: {@code def main(inputs)}, which gets a dict and returns one. */
final class PythonRuntime extends LanguageRuntime {
    /** Runs before the code, in a namespace that the code cannot reach. */
    private static final String HARNESS = """
            def _make():
                import json
                loads, dumps = json.loads, json.dumps
                def call(main, inputs):
                    made = main(loads(inputs))
                    try:
                        return dumps(made, allow_nan=False, ensure_ascii=True)
                    except ValueError:
                        if not isinstance(made, dict):
                            raise
                        for name, value in made.items():
                            try:
                                dumps(value, allow_nan=False)
                            except ValueError:
                                text = dumps(value)
                                found = 'is ' + text if isinstance(value, float) else 'contains NaN or Infinity'
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
