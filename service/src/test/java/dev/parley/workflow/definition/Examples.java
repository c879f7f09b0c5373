package dev.parley.workflow.definition;

import dev.parley.datalake.core.ColumnType;
import dev.parley.http.json.StrictJson;
import dev.parley.id.UserId;
import dev.parley.workflow.definition.core.KnownReferences;
import dev.parley.workflow.definition.core.KnownReferences.KnownTool;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.definition.core.check.DefinitionValidator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The documents in {@code examples/}, with an organization in which all their references exist. */
public final class Examples {
    public static final UserId USER =
            UserId.parse("0192f0c17a3b7c4d8e5f60718293a4b5").orElseThrow();
    public static final int TEAM = 3;

    public static final KnownReferences KNOWN = new KnownReferences(
            Set.of(USER),
            Set.of(TEAM),
            Map.of(
                    1,
                    new KnownTool("builtin", "http.request", Set.of("url")),
                    3,
                    new KnownTool("builtin", "time.wait", Set.of()),
                    4,
                    new KnownTool("builtin", "event.wait", Set.of()),
                    1000,
                    new KnownTool("warehouse", "getDelivery", Set.of("claim")),
                    1001,
                    new KnownTool("workflow", "0192f0c1aa2b3c4d5e6f708192a3b4c5", Set.of("request")),
                    1002,
                    new KnownTool("workflow", "0192f0c1aa2b3c4d5e6f708192a3b4c6", Set.of("draft"))),
            Map.of(1, Set.of(), 2, Set.of()),
            Map.of(
                    "sales",
                    Map.of(
                            "region", ColumnType.TEXT,
                            "amount", ColumnType.NUMBER,
                            "paid", ColumnType.BOOLEAN,
                            "day", ColumnType.MOMENT,
                            "lines", ColumnType.OTHER)));

    private static final Path FOLDER = Path.of("../examples");

    private Examples() {}

    /** All names, without {@code .json}. */
    public static List<String> names() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".json"))
                    .map(name -> name.substring(0, name.length() - ".json".length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The document with its placeholders replaced. */
    public static String json(String name) {
        try {
            return Files.readString(FOLDER.resolve(name + ".json"))
                    .replace("{{user}}", USER.text())
                    .replace("{{team}}", String.valueOf(TEAM));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A separate tree, which a test may change. */
    public static Map<String, Object> tree(String name) {
        return StrictJson.readObject(json(name));
    }

    public static WorkflowDefinition definition(String name) {
        return DefinitionValidator.validate(tree(name), KNOWN).required();
    }
}
