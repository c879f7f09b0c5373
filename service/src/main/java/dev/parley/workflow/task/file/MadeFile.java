package dev.parley.workflow.task.file;

/**
 * A file made by a task, before it is stored. The array is not copied and must not be changed.
 *
 * @param name such as {@code report.pdf}
 * @param contentType its MIME type
 */
@SuppressWarnings("ArrayRecordComponent") // may be large, and is never compared
public record MadeFile(String name, String contentType, byte[] bytes) {}
