package dev.parley.reader.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Imports files in this process and reads the rows of the table. */
final class TestImport {
    private final Path directory;
    private String sheet = "";
    private Map<String, String> types = Map.of();
    private String output = "";

    TestImport(Path directory) throws ClassNotFoundException {
        Class.forName("org.duckdb.DuckDBDriver");
        this.directory = directory;
    }

    TestImport sheet(String name) {
        sheet = name;
        return this;
    }

    TestImport types(Map<String, String> chosen) {
        types = chosen;
        return this;
    }

    /** The summary of the imported table. */
    JsonNode files(String format, byte[]... contents) throws Exception {
        List<String> texts = new ArrayList<>(List.of("false", sheet, Integer.toString(types.size())));
        types.forEach((column, type) -> texts.addAll(List.of(column, type)));
        for (int i = 0; i < contents.length; i++) {
            Files.write(directory.resolve(i + "." + format), contents[i]);
            texts.add(contents.length == 1 ? "" : "file " + i);
        }
        var out = new StringWriter();
        try {
            new LakeFiles(directory, format, directory.resolve("table"), 384).convert(stream(texts), out);
        } finally {
            output = out.toString();
        }
        return new ObjectMapper().readTree(output);
    }

    /** What the last import wrote, also if it refused the files. */
    String output() {
        return output;
    }

    JsonNode text(String format, String content) throws Exception {
        return files(format, content.getBytes(StandardCharsets.UTF_8));
    }

    /** The rows as JSON arrays of their values as JSON. */
    List<String> rows() throws Exception {
        var out = new StringWriter();
        DuckDbTables.rows(
                directory.resolve("table"),
                384,
                64 << 20,
                stream(List.of("SELECT to_json(\"the row\")::VARCHAR FROM (SELECT * FROM lake) AS \"the row\"")),
                out);
        return out.toString().lines().toList();
    }

    private static InputStream stream(List<String> texts) throws Exception {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeInt(texts.size());
        for (String text : texts) {
            byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
            out.writeInt(encoded.length);
            out.write(encoded);
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }
}
