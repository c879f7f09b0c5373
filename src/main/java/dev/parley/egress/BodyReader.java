package dev.parley.egress;

import java.io.IOException;
import java.io.InputStream;

/**
 * Reads an answer's body while it arrives. It runs on a thread of the client's and not on the caller's, and must end
 * soon when that thread is interrupted. A failure of the connection comes out of {@code body} as an
 * {@link EgressException}, which it should let pass.
 *
 * @param <T> what is made of the answer
 */
@FunctionalInterface
public interface BodyReader<T> {
    T read(EgressResponse.Head head, InputStream body) throws IOException;
}
