package dev.parley.attachment;

import dev.parley.attachment.DocumentReadingStore.DocumentReading;
import dev.parley.db.Database;
import dev.parley.disk.TempFiles;
import dev.parley.document.DocumentException;
import dev.parley.document.DocumentReader;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressRequest;
import dev.parley.id.OrganizationId;
import dev.parley.llm.ChatFile;
import dev.parley.media.FileDigest;
import dev.parley.media.FileException;
import dev.parley.media.TaskFiles;
import dev.parley.node.MaintenanceJob;
import dev.parley.problem.Text;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads files for a model: images as they are, the text of PDF files, sheets as CSV, and plain text. For other files,
 * and those over the limits, the model gets the name and the reason.
 */
@Singleton
public final class AttachmentReader {
    private static final char UNDECODABLE = '\uFFFD';
    private static final int MAX_FILES = 10;
    private static final long MAX_FILE_BYTES = 25L << 20;
    private static final int MAX_CHARACTERS_OF_FILE = 60_000;
    private static final int MAX_CHARACTERS = 120_000;
    private static final int MAX_PAGES = 60;
    private static final int MAX_ROWS = 2_000;

    /** The limit for all images of one request, which are held as Base64, JSON and bytes until the response. */
    private static final long MAX_PICTURE_BYTES = 5L << 20;

    /** The limit for all images in requests to models at the same time. */
    private static final long MAX_PICTURE_BYTES_AT_ONCE =
            Math.max(MAX_PICTURE_BYTES, Runtime.getRuntime().maxMemory() / 20);

    private static final int PERMIT_BYTES = 1_024;
    private static final String UNREADABLE_TYPE = "Files of this type cannot be read.";
    private static final String TRUNCATION_MARK = "\n[The rest is omitted.]";
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration DOCUMENT_CPU_TIME = Duration.ofSeconds(30);

    /** A document that took more CPU time to read is not read again soon. */
    private static final Duration LONG_READING = Duration.ofSeconds(3);

    private static final Duration READING_RETENTION = Duration.ofDays(1);

    private static final String PDF = "application/pdf";
    private static final Set<String> PICTURES = Set.of("image/png", "image/jpeg", "image/gif", "image/webp");
    private static final String SHEETS = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    private static final Set<String> TEXT_TYPES = Set.of(
            "application/json", "application/xml", "application/x-ndjson", "application/yaml", "application/csv");

    private final TaskFiles files;
    private final TempFiles tempFiles;
    private final EgressClient egress;
    private final DocumentReader reader;
    private final DocumentReadingStore readings;
    private final Clock clock;
    private final TransientFailures failures = new TransientFailures();
    private final Semaphore pictures = new Semaphore((int) (MAX_PICTURE_BYTES_AT_ONCE / PERMIT_BYTES), true);

    public AttachmentReader(
            TaskFiles files,
            TempFiles tempFiles,
            EgressClient egress,
            DocumentReader reader,
            Database database,
            Clock clock) {
        this.tempFiles = tempFiles;
        this.files = files;
        this.egress = egress;
        this.reader = reader;
        this.readings = database.statements(DocumentReadingStore.class);
        this.clock = clock;
    }

    @Produces
    @Singleton
    MaintenanceJob deletionJob() {
        return new MaintenanceJob("delete results of reading documents", Duration.ofHours(1), this::deleteReadings);
    }

    void deleteReadings() {
        readings.delete(clock.instant().minus(READING_RETENTION));
    }

    /** Whether a text is a URL of a file. */
    public boolean isUrl(String text) {
        return files.isUrl(text);
    }

    /**
     * Reads files of an organization. If the limits do not allow all, earlier files take precedence.
     *
     * @param known texts that were read before, by URL
     * @throws AttachmentException if a file is temporarily unreadable; a permanently unreadable one is returned with
     *     the reason
     */
    public OpenAttachments read(OrganizationId organization, List<AttachedFile> named, Map<String, ChatFile> known)
            throws AttachmentException, InterruptedException {
        if (named.isEmpty()) {
            return new OpenAttachments(List.of(), () -> {});
        }
        Path directory = null;
        try {
            directory = tempFiles.directory("attached");
            var limits = new RemainingLimits();
            List<PreparedAttachment> prepared = new ArrayList<>();
            for (AttachedFile file : named) {
                ChatFile before = known.get(file.url());
                if (prepared.size() >= MAX_FILES) {
                    String detail = "Only " + MAX_FILES + " files are sent at once; it is left out.";
                    prepared.add(PreparedAttachment.of(ChatFile.unread(name(file.url()), "", detail)));
                } else if (before != null) {
                    prepared.add(PreparedAttachment.of(limits.text(before)));
                } else {
                    Path copy = directory.resolve(Integer.toString(prepared.size()));
                    prepared.add(limits.take(prepare(organization, file, copy)));
                }
            }
            return loaded(prepared);
        } catch (IOException e) {
            throw new AttachmentException("The file could not be read.", e);
        } finally {
            TempFiles.delete(directory);
        }
    }

    /**
     * A file before its image is loaded.
     *
     * @param picture null for text, and for a file that the model does not get
     */
    private record PreparedAttachment(
            ChatFile file, @Nullable Path picture, long bytes) {
        static PreparedAttachment of(ChatFile file) {
            return new PreparedAttachment(file, null, 0);
        }
    }

    /** The remaining limits of one request. */
    private static final class RemainingLimits {
        private int characters = MAX_CHARACTERS;
        private long pictureBytes = MAX_PICTURE_BYTES;

        PreparedAttachment take(PreparedAttachment prepared) {
            ChatFile file = prepared.file;
            if (prepared.picture == null) {
                return PreparedAttachment.of(text(file));
            }
            if (prepared.bytes > pictureBytes) {
                String detail = prepared.bytes > MAX_PICTURE_BYTES
                        ? "It is too large: a picture may have " + (MAX_PICTURE_BYTES >> 20) + " MiB."
                        : "The pictures of a request may have " + (MAX_PICTURE_BYTES >> 20)
                                + " MiB together; it is left out.";
                return PreparedAttachment.of(ChatFile.unread(file.name(), file.contentType(), detail));
            }
            pictureBytes -= prepared.bytes;
            return prepared;
        }

        ChatFile text(ChatFile file) {
            String text = file.text();
            if (text.length() > characters && characters < MAX_CHARACTERS / 100) {
                String detail =
                        "The texts of files may have " + MAX_CHARACTERS + " characters together;" + " it is left out.";
                return ChatFile.unread(file.name(), file.contentType(), detail);
            }
            ChatFile fitting = text.length() <= characters
                    ? file
                    : ChatFile.text(file.name(), file.contentType(), Text.truncate(text, characters, TRUNCATION_MARK));
            characters -= Math.min(characters, text.length());
            return fitting;
        }
    }

    private OpenAttachments loaded(List<PreparedAttachment> prepared)
            throws AttachmentException, IOException, InterruptedException {
        long bytes = prepared.stream().mapToLong(PreparedAttachment::bytes).sum();
        int permits = (int) ((bytes + PERMIT_BYTES - 1) / PERMIT_BYTES);
        if (!pictures.tryAcquire(permits, LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AttachmentException("Too many pictures are with the model at the moment.", null);
        }
        boolean done = false;
        try {
            List<ChatFile> loaded = new ArrayList<>();
            for (PreparedAttachment one : prepared) {
                loaded.add(
                        one.picture == null
                                ? one.file
                                : ChatFile.image(
                                        one.file.name(), one.file.contentType(), Files.readAllBytes(one.picture)));
            }
            done = true;
            return new OpenAttachments(loaded, () -> pictures.release(permits));
        } finally {
            if (!done) {
                pictures.release(permits);
            }
        }
    }

    private PreparedAttachment prepare(OrganizationId organization, AttachedFile named, Path copy)
            throws AttachmentException, InterruptedException {
        String url = named.url();
        try {
            if (!url.startsWith("s3://")) {
                return named.mayFetch() ? fetch(organization, url, copy) : unread(name(url), "", "It was not fetched.");
            }
            try (TaskFiles.OpenFile file = files.open(organization, url)) {
                String name = file.file().filename();
                if (file.file().size() > MAX_FILE_BYTES) {
                    String detail = "It is too large: a file may have " + (MAX_FILE_BYTES >> 20) + " MiB.";
                    return unread(name, file.file().contentType(), detail);
                }
                if (!isReadable(type(name, file.file().contentType()))) {
                    return unread(name, file.file().contentType(), UNREADABLE_TYPE);
                }
                return read(
                        organization,
                        name,
                        type(name, file.file().contentType()),
                        file.file().sha256(),
                        copy,
                        () -> Files.copy(file.bytes(), copy));
            }
        } catch (FileException e) {
            return unreadable(url, e.detail(), e.isTransient(), e);
        } catch (EgressException e) {
            return unreadable(url, e.detail(), e.isTransient(), e);
        } catch (DocumentException e) {
            return unreadable(url, e.detail(), e.isTransient(), e);
        } catch (IOException e) {
            return unreadable(url, "The file could not be read.", true, e);
        }
    }

    private static PreparedAttachment unreadable(String url, String detail, boolean isTransient, IOException cause)
            throws AttachmentException {
        if (isTransient) {
            throw new AttachmentException(detail, cause);
        }
        return unread(name(url), "", detail);
    }

    private static PreparedAttachment unread(String name, String type, String detail) {
        return PreparedAttachment.of(ChatFile.unread(name, type, detail));
    }

    private PreparedAttachment fetch(OrganizationId organization, String url, Path copy)
            throws IOException, InterruptedException {
        EgressRequest request = EgressRequest.get(url).withDeadline(LIMIT).withMaxResponseBytes(MAX_FILE_BYTES);
        record FetchResponse(int status, String type) {}
        FetchResponse fetched = egress.stream(request, (head, body) -> {
            if (head.isSuccess()) {
                Files.copy(body, copy);
            }
            return new FetchResponse(head.status(), head.header("Content-Type").orElse(""));
        });
        if (fetched.status() < 200 || fetched.status() > 299) {
            return unread(name(url), "", "Its host returned " + fetched.status() + ".");
        }
        try (InputStream bytes = Files.newInputStream(copy)) {
            String sha256 = FileDigest.of(bytes).sha256();
            return read(organization, name(url), type(name(url), fetched.type()), sha256, copy, () -> 0);
        }
    }

    /** Copies a stored file, which is skipped if the file need not be read. */
    private interface FileCopy {
        long run() throws IOException;
    }

    private PreparedAttachment read(
            OrganizationId organization, String name, String type, String sha256, Path file, FileCopy copy)
            throws IOException, InterruptedException {
        if (type.equals(PDF) || type.equals(SHEETS)) {
            DocumentReading reading = document(organization, type, sha256, file, copy);
            return reading.text() == null
                    ? unread(name, type, String.valueOf(reading.fault()))
                    : text(name, type, reading.text());
        }
        copy.run();
        if (PICTURES.contains(type) && Files.size(file) > 0) {
            return new PreparedAttachment(ChatFile.text(name, type, ""), file, Files.size(file));
        }
        if (!isReadable(type)) {
            return unread(name, type, UNREADABLE_TYPE);
        }
        String text = beginning(file);
        // The letters of another encoding would reach the model as other ones.
        return type.equals("text/csv") && text.indexOf(UNDECODABLE) >= 0
                ? unread(name, type, "It is not UTF-8 text. Save the file with the encoding UTF-8.")
                : text(name, type, text);
    }

    private DocumentReading document(OrganizationId organization, String type, String sha256, Path file, FileCopy copy)
            throws IOException, InterruptedException {
        Optional<DocumentReading> before =
                readings.find(organization, sha256, type, clock.instant().minus(READING_RETENTION));
        if (before.isPresent()) {
            return before.get();
        }
        copy.run();
        DocumentReading reading;
        boolean isSlow = true;
        try {
            DocumentReader.DocumentText read = type.equals(PDF)
                    ? reader.pdf(organization, file, MAX_PAGES, MAX_CHARACTERS_OF_FILE, DOCUMENT_CPU_TIME)
                    : reader.sheets(organization, file, MAX_ROWS, MAX_CHARACTERS_OF_FILE, DOCUMENT_CPU_TIME);
            // PostgreSQL stores no NUL characters, and a model needs none.
            reading = new DocumentReading(read.text().replace("\0", ""), null);
            isSlow = read.cpuTime().compareTo(LONG_READING) > 0;
        } catch (DocumentException e) {
            if (e.isTransient()) {
                if (failures.mayRetry(organization, sha256)) {
                    throw e;
                }
                return new DocumentReading(null, e.detail());
            }
            reading = new DocumentReading(null, e.detail());
        }
        if (isSlow) {
            readings.store(organization, sha256, type, reading, clock.instant());
        }
        return reading;
    }

    private static boolean isReadable(String type) {
        return PICTURES.contains(type)
                || type.equals(PDF)
                || type.equals(SHEETS)
                || type.startsWith("text/")
                || TEXT_TYPES.contains(type);
    }

    private static PreparedAttachment text(String name, String type, String text) {
        return PreparedAttachment.of(ChatFile.text(name, type, text.isBlank() ? "[The file contains no text.]" : text));
    }

    private static String beginning(Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file)) {
            String text = decoded(bytes.readNBytes(4 * MAX_CHARACTERS_OF_FILE));
            return Text.truncate(text, MAX_CHARACTERS_OF_FILE, TRUNCATION_MARK);
        }
    }

    /** UTF-8, or UTF-16 with a byte order mark. */
    private static String decoded(byte[] bytes) {
        int first = bytes.length < 2 ? 0 : ((bytes[0] & 0xFF) << 8) | (bytes[1] & 0xFF);
        boolean isUtf16 = first == 0xFEFF || first == 0xFFFE;
        String text = new String(bytes, isUtf16 ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8);
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static String type(String name, String declared) {
        int end = declared.indexOf(';');
        String type = (end < 0 ? declared : declared.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        if (!type.isEmpty() && !type.equals("application/octet-stream") && !type.equals("binary/octet-stream")) {
            return type;
        }
        String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return switch (ending) {
            case "pdf" -> PDF;
            case "xlsx" -> SHEETS;
            case "csv" -> "text/csv";
            case "txt", "md", "log" -> "text/plain";
            case "json" -> "application/json";
            case "png" -> "image/png";
            case "jpg", "jpeg" -> "image/jpeg";
            case "webp" -> "image/webp";
            case "gif" -> "image/gif";
            default -> type.isEmpty() ? "application/octet-stream" : type;
        };
    }

    private static String name(String url) {
        int query = url.indexOf('?');
        String path = query < 0 ? url : url.substring(0, query);
        String last = path.substring(path.lastIndexOf('/') + 1);
        return last.isEmpty() ? "file" : Text.truncate(last, 180);
    }
}
