package dev.parley.media;

import dev.parley.media.core.FileKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.tika.metadata.Metadata;
import org.apache.tika.metadata.TikaCoreProperties;
import org.apache.tika.mime.MediaType;
import org.apache.tika.mime.MimeTypes;

/**
 * Detects a file's type from its bytes (Apache Tika) and compares it with the declared type. The name matters only
 * between kinds of plain text.
 */
final class FileTypeDetector {
    private static final MimeTypes TYPES = MimeTypes.getDefaultMimeTypes();

    /** Common names that Tika's registry does not list as aliases. */
    private static final Map<String, String> ALIASES = Map.of(
            "image/jpg", "image/jpeg",
            "audio/mp3", "audio/mpeg",
            "audio/wave", "audio/vnd.wave",
            "audio/wav", "audio/vnd.wave",
            "audio/x-wav", "audio/vnd.wave",
            "audio/aac", "audio/x-aac",
            "audio/flac", "audio/x-flac",
            "audio/m4a", "audio/mp4",
            "audio/x-m4a", "audio/mp4");

    /**
     * Container formats whose first bytes do not reveal the content: any declared type of the same group is accepted.
     */
    private static final List<Set<String>> CONTAINERS = List.of(
            Set.of(
                    "video/mp4",
                    "video/quicktime",
                    "application/mp4",
                    "audio/mp4",
                    "video/x-m4v",
                    "video/3gpp",
                    "audio/3gpp"),
            Set.of("image/heic", "image/heif"),
            Set.of("audio/ogg", "audio/opus", "audio/vorbis", "audio/speex", "audio/x-oggflac", "application/ogg"));

    private static final Set<String> MATROSKA =
            Set.of("application/x-matroska", "video/x-matroska", "audio/x-matroska", "video/webm", "audio/webm");

    private static final int DOCTYPE_WITHIN = 256;

    private FileTypeDetector() {}

    /** The type of a file from an external source. */
    static String type(FileDigest file, String name) {
        String detected = detect(file.head(), name);
        if (detected.equals("application/zip") || detected.equals("application/x-tika-ooxml")) {
            return isSpreadsheet(file) ? FileKind.XLSX_TYPE : detected;
        }
        return detected;
    }

    /** Why a file does not match its declared type; empty if it does. */
    static Optional<String> violation(String declared, FileDigest file) {
        if (file.size() == 0) {
            return Optional.of("The file is empty.");
        }
        String detected = detect(file.head(), "");
        boolean fits =
                switch (declared) {
                    case FileKind.PDF_TYPE -> startsWith(file.head(), "%PDF-");
                    case FileKind.XLSX_TYPE -> startsWith(file.head(), "PK") && isSpreadsheet(file);
                    case FileKind.CSV_TYPE -> detected.equals("text/plain") && isText(file.head());
                    case "video/webm", "audio/webm" ->
                        MATROSKA.contains(detected)
                                && within(file.head(), DOCTYPE_WITHIN).contains("webm");
                    default -> isSame(canonical(declared), canonical(detected));
                };
        return fits
                ? Optional.empty()
                : Optional.of("The file's bytes are not of the declared type " + declared + ", but look like "
                        + detected + ".");
    }

    private static boolean isSame(String declared, String detected) {
        return declared.equals(detected)
                || CONTAINERS.stream().anyMatch(group -> group.contains(declared) && group.contains(detected));
    }

    private static String canonical(String type) {
        String known = ALIASES.getOrDefault(type, type);
        MediaType parsed = MediaType.parse(known);
        String normal = parsed == null
                ? known
                : TYPES.getMediaTypeRegistry().normalize(parsed).toString();
        return ALIASES.getOrDefault(normal, normal);
    }

    private static String detect(byte[] head, String name) {
        var metadata = new Metadata();
        if (!name.isEmpty()) {
            metadata.set(TikaCoreProperties.RESOURCE_NAME_KEY, name);
        }
        try (InputStream bytes = new ByteArrayInputStream(head)) {
            return TYPES.detect(bytes, metadata).getBaseType().toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Has no NUL, unless it starts like UTF-16. */
    private static boolean isText(byte[] head) {
        if (head.length >= 2 && (head[0] & 0xFF) + (head[1] & 0xFF) == 0xFE + 0xFF && head[0] != head[1]) {
            return true;
        }
        for (byte b : head) {
            if (b == 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether a zip archive is a workbook without macros. */
    private static boolean isSpreadsheet(FileDigest file) {
        Set<String> entries = entries(file);
        return entries.stream().anyMatch(name -> name.startsWith("xl/workbook"))
                && entries.stream().noneMatch(name -> name.endsWith("vbaProject.bin"));
    }

    /** Names of entries: from the central directory if it is within the tail, and from the beginning. */
    private static Set<String> entries(FileDigest file) {
        Set<String> names = new HashSet<>();
        try (var zip = new ZipInputStream(new ByteArrayInputStream(file.head()))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                names.add(entry.getName());
            }
        } catch (IOException | IllegalArgumentException _) {
            // The beginning usually ends within an entry.
        }
        names.addAll(central(file.tail()));
        return names;
    }

    /** Every complete entry of a zip archive's central directory (signature PK 1 2) within the bytes. */
    private static Set<String> central(byte[] tail) {
        Set<String> names = new HashSet<>();
        for (int at = 0; at + 46 <= tail.length; at++) {
            if (tail[at] == 'P' && tail[at + 1] == 'K' && tail[at + 2] == 1 && tail[at + 3] == 2) {
                int length = (tail[at + 28] & 0xFF) | (tail[at + 29] & 0xFF) << 8;
                if (at + 46 + length <= tail.length) {
                    names.add(new String(tail, at + 46, length, StandardCharsets.UTF_8));
                }
            }
        }
        return names;
    }

    private static boolean startsWith(byte[] head, String text) {
        return within(head, text.length()).equals(text);
    }

    private static String within(byte[] head, int length) {
        return new String(head, 0, Math.min(length, head.length), StandardCharsets.ISO_8859_1);
    }
}
