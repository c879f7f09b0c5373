package dev.parley.blob;

/**
 * Metadata of a stored file.
 *
 * @param size in bytes
 * @param version changes with the file's bytes
 */
public record BlobInfo(long size, String version) {}
