package dev.parley.event;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Who has something to do with each event that is recorded, such as to deliver it. */
public interface EventListener {
    /** Called in the transaction that stores the events; what fails here undoes the change. */
    void appended(Connection tx, List<Event> stored) throws SQLException;

    /**
     * Called on every node, on a thread that must not be held up, a moment after a transaction with events was
     * committed on any node; sometimes also for nothing.
     */
    void committed();
}
