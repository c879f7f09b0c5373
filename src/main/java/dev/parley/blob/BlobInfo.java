package dev.parley.blob;

/**
 * What a store knows of a file.
 *
 * @param size in bytes
 * @param version changes with the file's bytes
 */
public record BlobInfo(long size, String version) {}
