package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParseException;
import dev.parley.problem.ApiProblem;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlFailureTest {
    @Test
    void aConnectionThatBrokeInAnEarlierStatementIsAnOutage() {
        var closed = new IllegalStateException(new SQLException("Connection is closed"));
        assertThat(Database.translate(closed)).isInstanceOf(ApiProblem.class);
    }

    @Test
    void aStoredValueThatCannotBeReadIsNoOutage() {
        var broken = new UncheckedIOException(new JsonParseException(null, "Unexpected end-of-input"));
        assertThat(Database.translate(broken)).isSameAs(broken);
    }

    @ParameterizedTest
    @CsvSource({
        "53100,could not extend file: No space left on device,FULL",
        "53100,could not write to file pg_wal/xlogtemp.1,FULL",
        "XX000,could not extend file: Disk quota exceeded,FULL",
        "58030,could not write block 7: No space left on device,FULL",
        "42501,could not open file base/5/1: Read-only file system,READ_ONLY",
        "25006,cannot execute INSERT in a read-only transaction,READ_ONLY",
        "53200,out of memory,MEMORY",
        "53300,sorry: too many clients already,CONNECTIONS",
        "53400,configuration limit exceeded,UNREACHABLE",
        "57P01,terminating connection due to administrator command,STARTING",
        "57P02,terminating connection because of crash of another server process,STARTING",
        "57P03,the database system is in recovery mode,STARTING",
        "58030,could not read block 7: Input/output error,FILES",
        "57014,canceling statement due to statement timeout,SLOW",
        "55P03,canceling statement due to lock timeout,SLOW",
        "08006,An I/O error occurred,UNREACHABLE",
        "23505,duplicate key,",
        "23505,Key (name)=(No space left on device) already exists,",
        "42P01,relation does not exist,"
    })
    void failuresHaveCauses(String state, String message, SqlFailure.Outage expected) {
        var failure = new SQLException(message, state);
        assertThat(SqlFailure.outage(new IllegalStateException(failure)).orElse(null))
                .isEqualTo(expected);
        if (expected != null) {
            var ofPool = new SQLTransientConnectionException("Connection is not available", state, failure);
            assertThat(SqlFailure.outage(ofPool)).contains(expected);
        }
    }
}
