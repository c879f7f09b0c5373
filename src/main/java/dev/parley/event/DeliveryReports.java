package dev.parley.event;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Takes what became of events at the callback of their conversation: the status of a service message follows it
 * (DECISIONS 2). The messages' package implements it; events that tell of no such message are passed over.
 */
public interface DeliveryReports {
    /** The callback answered 2xx; within the caller's transaction. */
    void delivered(Connection tx, List<Event> events) throws SQLException;

    /** The callback's delivery was given up; within the caller's transaction. */
    void failed(Connection tx, List<Event> events) throws SQLException;
}
