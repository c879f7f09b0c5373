package dev.parley.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.parley.http.json.StrictJson;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows the recipe for a kind of task in docs/recipes.md: adds the kind Text to a copy of the workflow packages,
 * compiles the copy and runs a workflow with it.
 */
class TaskKindRecipeTest {
    private static final int MAX_FILES = 8;
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Path NEW_SOURCES = Path.of("src/test/resources/task-kind");
    private static final String KIND = "dev/parley/workflow/definition/core/TaskKind.java";
    private static final String DOCUMENT = """
            {"name": "Greeting",
             "assignment_rules": [{"rule_type": "Exception", "assignment_type": "Team", "assignee_id": "3"}],
             "tasks": [{"id": "greet", "kind": "Text", "name": "Greet", "instructions": "Greet.", "text": "Hello",
                "input_parameters": [],
                "expected_output": [{"name": "greeting", "type": "STRING", "description": "The greeting"}]}]}
            """;

    @TempDir
    private Path classes;

    @Test
    void theRecipeNamesAtMostEightFiles() throws IOException {
        String guide = Files.readString(Path.of("../docs/recipes.md"));
        int start = guide.indexOf("## Add a kind of task");
        String recipe = guide.substring(start, guide.indexOf("\n## ", start));
        List<String> files = Pattern.compile("(?m)^\\| `([^`]+)` \\|")
                .matcher(recipe)
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(files)
                .hasSizeBetween(1, MAX_FILES)
                .contains(
                        "workflow/definition/core/TaskKind",
                        "workflow/definition/core/TextTask",
                        "workflow/task/TextExecutor");
    }

    @Test
    void aKindAddedByTheRecipeRuns() throws Exception {
        compile();
        Map<String, Object> document = StrictJson.readObject(DOCUMENT);
        try (var loader = new CopyFirst(classes.toUri().toURL())) {
            UnaryOperator<Map<String, Object>> run = run(loader);

            assertThat(run.apply(document))
                    .isEqualTo(Map.of("status", "COMPLETED", "outputs", Map.of("greeting", "Hello")));
            assertThat(schema(loader).validate(DOCUMENT, InputFormat.JSON)).isEmpty();

            String withoutText = DOCUMENT.replace("\"text\": \"Hello\",", "");
            assertThat(run.apply(StrictJson.readObject(withoutText)).get("violations"))
                    .asString()
                    .contains("The field 'text' of the task 'greet' is required.");
            assertThat(schema(loader).validate(withoutText, InputFormat.JSON)).isNotEmpty();
        }
    }

    /** The steps of the recipe that concern the service. The whole package shows that no other file needs a change. */
    private void compile() throws IOException {
        List<JavaFileObject> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(SOURCES.resolve("dev/parley/workflow"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                String name = SOURCES.relativize(file).toString();
                String text = Files.readString(file);
                sources.add(new Source(name, name.equals(KIND) ? withText(text) : text));
            }
        }
        for (String name : List.of("definition/core/TextTask", "task/TextExecutor", "instance/core/TextRun")) {
            Path file = NEW_SOURCES.resolve(Path.of(name).getFileName() + ".java");
            sources.add(new Source("dev/parley/workflow/" + name + ".java", Files.readString(file)));
        }
        var messages = new StringWriter();
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(
                        messages,
                        null,
                        null,
                        List.of("-d", classes.toString(), "-proc:none", "-nowarn", "-parameters"),
                        null,
                        sources)
                .call();
        assertThat(compiled).as(messages.toString()).isTrue();
    }

    /** {@code TaskKind} with the constant TEXT and its cases. */
    private static String withText(String kind) {
        return kind.replaceFirst("(CODER\\(.*\\));", "$1,\n    TEXT(\"Text\", false, true, false, false);")
                .replaceFirst("(case CODER -> List.of.*\n)", "$1case TEXT -> List.of(TextTask.TEXT);\n")
                .replaceFirst("(case CODER -> CoderTask.read.*\n)", "$1case TEXT -> TextTask.read(fields);\n");
    }

    private static com.networknt.schema.Schema schema(ClassLoader loader) throws ReflectiveOperationException {
        Object tree = loader.loadClass("dev.parley.workflow.definition.core.check.DefinitionSchema")
                .getMethod("tree")
                .invoke(null);
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(StrictJson.write(tree), InputFormat.JSON);
    }

    @SuppressWarnings("unchecked")
    private static UnaryOperator<Map<String, Object>> run(ClassLoader loader) throws ReflectiveOperationException {
        return (UnaryOperator<Map<String, Object>>) loader.loadClass("dev.parley.workflow.instance.core.TextRun")
                .getConstructor()
                .newInstance();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String path, String text) {
            super(URI.create("string:///" + path), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Prefers the classes of the copy to those of the service. */
    private static final class CopyFirst extends URLClassLoader {
        CopyFirst(URL classes) {
            super(new URL[] {classes}, TaskKindRecipeTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null && findResource(name.replace('.', '/') + ".class") != null) {
                    loaded = findClass(name);
                }
                return loaded == null ? super.loadClass(name, resolve) : loaded;
            }
        }
    }
}
