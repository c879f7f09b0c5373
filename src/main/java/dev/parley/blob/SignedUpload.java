package dev.parley.blob;

import java.util.Map;

/**
 * Where and how a client writes a file, by PUT.
 *
 * @param headers that the request must carry as they are
 */
public record SignedUpload(String url, Map<String, String> headers) {
    public SignedUpload {
        headers = Map.copyOf(headers);
    }

    /** Without the URL, which is a secret for as long as it lives. */
    @Override
    public String toString() {
        return "SignedUpload[…]";
    }
}
