package dev.parley.attachment;

/**
 * A file that a model should get.
 *
 * @param url the S3-style URI of a stored file, or an address on the web
 * @param fetched whether an address on the web may be fetched
 */
public record AttachedFile(String url, boolean fetched) {
    public static AttachedFile stored(String uri) {
        return new AttachedFile(uri, false);
    }
}
