package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.problem.ApiProblem;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class SqlFailureTest {
    @Test
    void aConnectionThatBrokeInAnEarlierStatementIsAnOutage() {
        var closed = new IllegalStateException(new SQLException("Connection is closed"));
        assertThat(Database.translate(closed)).isInstanceOf(ApiProblem.class);
    }
}
