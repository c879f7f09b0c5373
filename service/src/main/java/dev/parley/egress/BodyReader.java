package dev.parley.egress;

import java.io.IOException;
import java.io.InputStream;

/**
 * Reads a response body as it arrives. Runs on a thread of the client, not the caller's, and must end soon after that
 * thread is interrupted. Connection failures surface from {@code body} as {@link EgressException}, which the reader
 * should let propagate.
 *
 * @param <T> the result
 */
@FunctionalInterface
public interface BodyReader<T> {
    T read(EgressResponse.Head head, InputStream body) throws IOException;
}
