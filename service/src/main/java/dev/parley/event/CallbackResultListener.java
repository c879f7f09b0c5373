package dev.parley.event;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Applies the result of a conversation's callback to the status of the service message that it carried. Implemented by
 * the message package, which ignores events without such a message.
 */
public interface CallbackResultListener {
    /** The callback returned 2xx. Runs in the caller's transaction. */
    void delivered(Connection tx, List<Event> events) throws SQLException;

    /** The delivery to the callback failed for good. Runs in the caller's transaction. */
    void failed(Connection tx, List<Event> events) throws SQLException;
}
