package dev.parley.blob;

import java.util.Map;

/**
 * The URL and headers with which a client uploads a file by PUT.
 *
 * @param headers that the request must carry unchanged
 */
public record SignedUpload(String url, Map<String, String> headers) {
    public SignedUpload {
        headers = Map.copyOf(headers);
    }

    /** Omits the URL, which is a secret while it is valid. */
    @Override
    public String toString() {
        return "SignedUpload[…]";
    }
}
