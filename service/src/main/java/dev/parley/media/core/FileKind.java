package dev.parley.media.core;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The kinds of files: each has a folder, and a name in messages. */
public enum FileKind {
    AUDIO("audio", "AUDIO"),
    IMAGE("image", "IMAGE"),
    VIDEO("video", "VIDEO"),
    PDF("pdf", "DOCUMENT"),
    SPREADSHEET("spreadsheet", "SPREADSHEET"),

    /** Made only by tasks. */
    FILE("file", "FILE");

    public static final String PDF_TYPE = "application/pdf";
    public static final String CSV_TYPE = "text/csv";
    public static final String XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

    private static final int MAX_TYPE = 120;
    private static final Pattern TYPE = Pattern.compile("[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*");
    private static final Set<String> VIDEOS = Set.of("video/mp4", "video/webm", "video/quicktime");

    private final String folder;
    private final String contentType;

    FileKind(String folder, String contentType) {
        this.folder = folder;
        this.contentType = contentType;
    }

    public String folder() {
        return folder;
    }

    /** The {@code content_type} of a message with such a file. */
    public String contentType() {
        return contentType;
    }

    /** A MIME type in lower case without parameters; empty if the text is not one. */
    public static Optional<String> type(String text) {
        int end = text.indexOf(';');
        String type = (end < 0 ? text : text.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        return type.length() <= MAX_TYPE && TYPE.matcher(type).matches() ? Optional.of(type) : Optional.empty();
    }

    /** The kind of a type from {@link #type}. */
    public static FileKind of(String type) {
        if (type.startsWith("audio/")) {
            return AUDIO;
        }
        if (type.startsWith("image/") && !type.contains("svg") && !type.endsWith("+xml")) {
            return IMAGE;
        }
        return switch (type) {
            case PDF_TYPE -> PDF;
            case XLSX_TYPE, CSV_TYPE -> SPREADSHEET;
            default -> VIDEOS.contains(type) ? VIDEO : FILE;
        };
    }

    /** Whether clients may upload files of this kind. */
    public boolean isUploadable() {
        return this != FILE;
    }
}
