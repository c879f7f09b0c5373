package dev.parley.event;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Who has something to do with each event that is recorded, such as to deliver it. */
public interface EventListener {
    /** Called in the transaction that stores the events; what fails here undoes the change. */
    void appended(Connection tx, List<Event> stored) throws SQLException;
}
