package dev.parley.workflow.task.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.TestSize;
import dev.parley.disk.TempFiles;
import dev.parley.document.DocumentReader;
import dev.parley.id.OrganizationId;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of all types from texts; those of documents come from real processes. */
class FileRendererTest {
    private static final OrganizationId ORGANIZATION = OrganizationId.next();

    @TempDir
    private static Path data;

    private static FileRenderer renderer;

    @BeforeAll
    static void start() {
        Settings settings = Settings.of(Map.of(Setting.PARLEY_DATA, data.toString()));
        renderer = new FileRenderer(new DocumentReader(new TempFiles(settings.storage()), TestSize.SMALLEST));
    }

    private static MadeFile file(OutputType type, String text) throws Exception {
        return file("report", type, text);
    }

    private static MadeFile file(String name, OutputType type, String text) throws Exception {
        return renderer.render(ORGANIZATION, new OutputParameter(name, type, "d"), text);
    }

    private static String text(OutputType type, String text) throws Exception {
        return new String(file(type, text).bytes(), UTF_8);
    }

    @Test
    void csvIsWrittenAsOfficePackagesReadIt() throws Exception {
        assertThat(text(OutputType.CSV, "```csv\na,b\n1,\"x, y\"\n```")).isEqualTo("a,b\r\n1,\"x, y\"\r\n");
        assertThat(text(OutputType.CSV, "\uFEFFName\nJosé 東京")).isEqualTo("\uFEFFName\r\nJosé 東京\r\n");
        assertThat(FileRenderer.fault(OutputType.CSV, "a,\"b\nc,d")).isPresent();
        String withLetters = "name,city\r\nZoë,Köln\r\n";
        assertThat(text(OutputType.CSV, withLetters)).isEqualTo("\uFEFF" + withLetters);
        assertThat(text(OutputType.CSV, "\uFEFF" + withLetters)).isEqualTo("\uFEFF" + withLetters);
    }

    @Test
    void xmlHasToBeWellFormedAndWithoutEntities() throws Exception {
        assertThat(text(OutputType.XML, "```xml\n<a>ü</a>\n```")).isEqualTo("<a>ü</a>");
        assertThat(FileRenderer.fault(OutputType.XML, "<a>")).isPresent();
        assertThat(FileRenderer.fault(
                        OutputType.XML, "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>"))
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource({"'```python\nprint(1)\n```', print(1), report.py", "x = 1, x = 1, report.txt"})
    void codeIsNamedForItsLanguage(String text, String kept, String name) throws Exception {
        MadeFile file = file(OutputType.CODE, text);
        assertThat(new String(file.bytes(), UTF_8)).isEqualTo(kept);
        assertThat(file.name()).isEqualTo(name);
    }

    @Test
    void aDataUrlIsTheFileItself() throws Exception {
        byte[] dot = {1, 2, 3};
        String url = "data:image/png;base64," + Base64.getEncoder().encodeToString(dot);
        MadeFile file = file(OutputType.FILE, url);
        assertThat(file.bytes()).isEqualTo(dot);
        assertThat(file.name()).isEqualTo("report.png");
        assertThatThrownBy(() -> file(OutputType.PDF, url)).isInstanceOf(UnrenderableTextException.class);
        assertThat(text(OutputType.TEXT, "data: not a URL")).isEqualTo("data: not a URL");
    }

    @Test
    void theOutputsNameMayHaveTheEnding() throws Exception {
        assertThat(file("main.py", OutputType.CODE, "x").name()).isEqualTo("main.py");
        assertThat(file("a.html", OutputType.HTML, "x").name()).isEqualTo("a.html");
    }

    @ParameterizedTest
    @CsvSource({"PDF, report.pdf, %PDF-", "PPT, report.pptx, PK", "HTML, report.html, <!doctype html>"})
    void documentsAreRenderedFromMarkdownInAFence(OutputType type, String name, String start) throws Exception {
        MadeFile file = file(type, "```markdown\n# Report\n\nwords\n```");
        assertThat(file.name()).isEqualTo(name);
        assertThat(new String(file.bytes(), ISO_8859_1)).startsWith(start).doesNotContain("```");
    }

    @Test
    void manyNamespacesAreRefused() {
        String declared =
                IntStream.range(0, 150).mapToObj(i -> " xmlns:p" + i + "='u'").collect(Collectors.joining());
        assertThat(FileRenderer.fault(OutputType.XML, "<a" + declared + "/>")).isEmpty();
        assertThat(FileRenderer.fault(OutputType.XML, ("<a" + declared + ">").repeat(150) + "</a>".repeat(150)))
                .isPresent();
    }
}
