package dev.parley.audit;

import dev.parley.http.PacedOutputStream;
import dev.parley.http.core.CsvRow;
import dev.parley.http.json.Rfc3339;
import dev.parley.id.AuditEntryId;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The log as CSV (RFC 4180), read in pages, so that a slow reader holds no connection to the database. */
@Singleton
final class AuditExport {
    static final int MAX_ENTRIES = 50_000;
    private static final int PAGE = 500;

    /** Begins with a byte order mark, without which Excel reads other letters than ASCII wrongly. */
    private static final String HEADER =
            "\uFEFFtime,person,action,target_id,target_name,changes,address,user_agent,request_id,until\r\n";

    private final AuditLog log;

    AuditExport(AuditLog log) {
        this.log = log;
    }

    StreamingOutput stream(OrganizationId organization, AuditStore.AuditQuery filter) {
        return output -> {
            try (Writer csv = new OutputStreamWriter(PacedOutputStream.of(output), StandardCharsets.UTF_8)) {
                csv.write(HEADER);
                Optional<AuditEntryId> after = Optional.empty();
                List<AuditEntry> page;
                int written = 0;
                do {
                    page = log.entries(organization, filter, after, PAGE);
                    for (AuditEntry entry : page) {
                        write(csv, entry);
                        after = Optional.of(entry.id());
                    }
                    written += page.size();
                } while (page.size() == PAGE && written < MAX_ENTRIES);
            }
        };
    }

    private static void write(Writer csv, AuditEntry entry) throws IOException {
        csv.write(CsvRow.of(Stream.of(
                Rfc3339.text(entry.at()),
                entry.actor(),
                entry.action(),
                text(entry.target()),
                text(entry.targetName()),
                entry.changes().stream()
                        .map(change -> change.field() + ": " + text(change.before()) + " → " + text(change.after()))
                        .collect(Collectors.joining("; ")),
                text(entry.address()),
                text(entry.userAgent()),
                text(entry.requestId()),
                entry.until() == null ? "" : Rfc3339.text(entry.until()))));
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
