package dev.parley.event;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Called for each recorded event, for example to deliver it. */
public interface EventListener {
    /** Called in the transaction that stores the events; an exception rolls back the change. */
    void appended(Connection tx, List<Event> stored) throws SQLException;
}
