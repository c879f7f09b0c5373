package dev.parley.workflow.task.ai;

import dev.parley.disk.Scratch;
import dev.parley.document.DocumentException;
import dev.parley.document.DocumentReader;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressRequest;
import dev.parley.llm.ChatFile;
import dev.parley.media.FileException;
import dev.parley.media.SystemFiles;
import dev.parley.workflow.definition.core.InputParameter;
import dev.parley.workflow.definition.core.Source;
import dev.parley.workflow.definition.core.SystemValue;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskRun;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The files among a task's inputs as a model reads them: pictures as they are, the text of PDF files, sheets as CSV, all
 * else by name and type. Files of the organization are found by their URI wherever an input names one; an address on the
 * web is only fetched where the trigger gave it as one of its files.
 */
@Singleton
public final class Attachments {
    private static final int FILES = 10;
    private static final long BYTES = 25L << 20;
    private static final int IMAGE_BYTES = 5 << 20;
    private static final int CHARACTERS = 60_000;
    private static final int PAGES = 60;
    private static final int ROWS = 2_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Set<String> PICTURES = Set.of("image/png", "image/jpeg", "image/gif", "image/webp");
    private static final String SHEETS = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    private static final Set<String> TEXTS = Set.of(
            "application/json", "application/xml", "application/x-ndjson", "application/yaml", "application/csv");

    private final SystemFiles files;
    private final Scratch scratch;
    private final EgressClient egress;
    private final DocumentReader reader;

    public Attachments(SystemFiles files, Scratch scratch, EgressClient egress, DocumentReader reader) {
        this.scratch = scratch;
        this.files = files;
        this.egress = egress;
        this.reader = reader;
    }

    /**
     * The files of a run's inputs, each once.
     *
     * @throws TaskFailure when a file cannot be had at the moment; one that can never be had is told to the model
     */
    List<ChatFile> of(TaskRun run) throws TaskFailure, InterruptedException {
        List<ChatFile> attached = new ArrayList<>();
        int room = 2 * CHARACTERS;
        for (Map.Entry<String, Boolean> named : named(run).entrySet()) {
            if (attached.size() == FILES) {
                attached.add(
                        note(named.getKey(), "", "There are more than " + FILES + " files; this one is left out."));
                break;
            }
            ChatFile file = attach(run, named.getKey(), named.getValue(), Math.min(CHARACTERS, room));
            room = Math.max(1_000, room - file.text().length());
            attached.add(file);
        }
        return attached;
    }

    /** The URLs that stand in the inputs, and whether each may be fetched from the web. */
    private Map<String, Boolean> named(TaskRun run) {
        Map<String, Boolean> named = new LinkedHashMap<>();
        for (InputParameter input : run.task().inputParameters()) {
            boolean given = input.source() == Source.SYSTEM_GENERATED
                    && SystemValue.named(input.name()).orElse(null) == SystemValue.FILE_URLS;
            Object value = run.inputs().get(input.name());
            List<?> values = value instanceof List<?> list ? list : value == null ? List.of() : List.of(value);
            for (Object one : values) {
                if (one instanceof String url && (url.startsWith("s3://") || given) && files.isUrl(url)) {
                    named.merge(url, given, Boolean::logicalOr);
                }
            }
        }
        return named;
    }

    private ChatFile attach(TaskRun run, String url, boolean fetched, int characters)
            throws TaskFailure, InterruptedException {
        Path copy = null;
        try {
            copy = scratch.file("attached");
            if (url.startsWith("s3://")) {
                try (SystemFiles.OpenFile file = files.open(run.organization(), url)) {
                    if (file.file().size() > BYTES) {
                        return note(file.file().filename(), file.file().contentType(), "It is too large to be read.");
                    }
                    Files.copy(file.bytes(), copy, StandardCopyOption.REPLACE_EXISTING);
                    return read(file.file().filename(), file.file().contentType(), copy, characters);
                }
            }
            return fetched ? fetch(url, copy, characters) : note(url, "", "It was not fetched.");
        } catch (FileException e) {
            return unreadable(url, e.sentence(), e.isTransient(), e);
        } catch (EgressException e) {
            return unreadable(url, e.sentence(), e.isTransient(), e);
        } catch (IOException e) {
            return unreadable(url, "The file could not be read.", true, e);
        } finally {
            Scratch.delete(copy);
        }
    }

    private static ChatFile unreadable(String url, String sentence, boolean passing, IOException cause)
            throws TaskFailure {
        if (passing) {
            throw TaskFailure.of("File error", sentence, true, null, cause);
        }
        return note(name(url), "", sentence);
    }

    private ChatFile fetch(String url, Path copy, int characters) throws IOException, InterruptedException {
        EgressRequest request = EgressRequest.get(url).withDeadline(LIMIT).withMaxResponseBytes(BYTES);
        record Fetched(int status, String type) {}
        Fetched fetched = egress.stream(request, (head, body) -> {
            if (head.isSuccess()) {
                Files.copy(body, copy, StandardCopyOption.REPLACE_EXISTING);
            }
            return new Fetched(head.status(), head.header("Content-Type").orElse(""));
        });
        if (fetched.status() < 200 || fetched.status() > 299) {
            return note(name(url), "", "Its host answered " + fetched.status() + ".");
        }
        return read(name(url), fetched.type(), copy, characters);
    }

    private ChatFile read(String name, String declared, Path file, int characters)
            throws IOException, InterruptedException {
        String type = type(name, declared);
        try {
            if (PICTURES.contains(type)) {
                return Files.size(file) <= IMAGE_BYTES
                        ? ChatFile.image(name, type, Files.readAllBytes(file))
                        : note(name, type, "The picture is too large to be looked at.");
            }
            if (type.equals("application/pdf")) {
                return text(name, type, reader.pdf(file, PAGES, characters, LIMIT));
            }
            if (type.equals(SHEETS)) {
                return text(name, type, reader.sheets(file, ROWS, characters, LIMIT));
            }
            if (type.startsWith("text/") || TEXTS.contains(type)) {
                return text(name, type, beginning(file, characters));
            }
            return note(name, type, "Files of this type cannot be read; it has " + Files.size(file) + " bytes.");
        } catch (DocumentException e) {
            if (e.isTransient()) {
                throw e;
            }
            return note(name, type, e.sentence());
        }
    }

    private static ChatFile text(String name, String type, String text) {
        return ChatFile.text(name, type, text.isBlank() ? "[There is no text in it.]" : text);
    }

    private static ChatFile note(String name, String type, String sentence) {
        return ChatFile.text(name, type.isEmpty() ? "unknown type" : type, "[" + sentence + "]");
    }

    private static String beginning(Path file, int characters) throws IOException {
        try (InputStream bytes = Files.newInputStream(file)) {
            String text = new String(bytes.readNBytes(4 * characters), StandardCharsets.UTF_8);
            return text.length() <= characters ? text : text.substring(0, characters) + "\n[The rest is left out.]";
        }
    }

    private static String type(String name, String declared) {
        int end = declared.indexOf(';');
        String bare = (end < 0 ? declared : declared.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        if (!bare.isEmpty() && !bare.equals("application/octet-stream") && !bare.equals("binary/octet-stream")) {
            return bare;
        }
        String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return switch (ending) {
            case "pdf" -> "application/pdf";
            case "xlsx" -> SHEETS;
            case "csv" -> "text/csv";
            case "txt", "md", "log" -> "text/plain";
            case "json" -> "application/json";
            case "png" -> "image/png";
            case "jpg", "jpeg" -> "image/jpeg";
            case "webp" -> "image/webp";
            case "gif" -> "image/gif";
            default -> bare.isEmpty() ? "application/octet-stream" : bare;
        };
    }

    private static String name(String url) {
        int query = url.indexOf('?');
        String path = query < 0 ? url : url.substring(0, query);
        String last = path.substring(path.lastIndexOf('/') + 1);
        return last.isEmpty() ? "file" : last.substring(0, Math.min(last.length(), 180));
    }
}
