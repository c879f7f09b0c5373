package dev.parley.event;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jdbi.v3.core.mapper.ColumnMapper;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/** Reads types by their texts. One that only a later version has is null. */
public final class EventTypeMapper implements ColumnMapper<EventType> {
    @Override
    public @Nullable EventType map(ResultSet row, int column, StatementContext context) throws SQLException {
        return EventType.of(row.getString(column)).orElse(null);
    }
}
