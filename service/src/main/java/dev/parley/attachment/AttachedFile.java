package dev.parley.attachment;

/**
 * A file to send to a model.
 *
 * @param url the S3-style URI of a stored file, or a web URL
 * @param mayFetch whether a web URL may be fetched
 */
public record AttachedFile(String url, boolean mayFetch) {
    public static AttachedFile stored(String uri) {
        return new AttachedFile(uri, false);
    }
}
