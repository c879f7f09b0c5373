package dev.parley.http;

import dev.parley.db.Database;
import dev.parley.http.access.ApiKeyCaller;
import dev.parley.http.access.Viewer;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.node.MaintenanceJob;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import org.apache.commons.codec.digest.DigestUtils;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/**
 * Makes a POST with an {@code Idempotency-Key} take effect once. The key is claimed in the transaction of the work and
 * stored with the response for 24 hours per organization and route; later requests get the stored response.
 */
@Singleton
public final class IdempotencyKeys {
    public static final String HEADER = "Idempotency-Key";
    public static final String REPLAYED = "Idempotent-Replayed";

    /** The end of an INSERT that claims keys. A claim older than 24 hours counts as expired. */
    public static final String UNLESS_CLAIMED = """
            ON CONFLICT (organization_id, route, key) DO UPDATE
            SET request_hash = EXCLUDED.request_hash, status = EXCLUDED.status, location = EXCLUDED.location,
                body = EXCLUDED.body, created_at = EXCLUDED.created_at
            WHERE idempotency.created_at < now() - interval '24 hours'
            """;

    private final Database database;
    private final IdempotencyStore store;

    public IdempotencyKeys(Database database) {
        this.database = database;
        this.store = database.statements(IdempotencyStore.class);
    }

    /**
     * A request that must take effect once.
     *
     * @param route method and path, including ids
     * @param hash of the request's body
     */
    public record Claim(OrganizationId organization, String route, String key, String hash) {}

    /** A stored response. */
    public record StoredResponse(int status, @Nullable String location, String body) {
        public Response response() {
            Response.ResponseBuilder response = Response.status(status)
                    .type(MediaType.APPLICATION_JSON_TYPE)
                    .entity(body);
            if (location != null) {
                response.header("Location", location);
            }
            return response.build();
        }

        public Response replay() {
            return Response.fromResponse(response()).header(REPLAYED, "true").build();
        }
    }

    /** A claimed key; without a response while its request is in progress. */
    record IdempotencyRow(
            String hash,
            @Nullable Integer status,
            @Nullable String location,
            @Nullable String body) {}

    /** The table {@code idempotency}. */
    interface IdempotencyStore {
        String CLAIMED = " WHERE organization_id = :organization AND route = :route AND key = :key";

        @SqlUpdate("""
                INSERT INTO idempotency (organization_id, route, key, request_hash)
                VALUES (:organization, :route, :key, :hash)
                """ + UNLESS_CLAIMED)
        boolean insert(@BindMethods Claim claim);

        @SqlUpdate("UPDATE idempotency SET status = :status, location = :location, body = :body" + CLAIMED)
        void complete(@BindMethods Claim claim, @BindMethods StoredResponse answer);

        @SqlQuery("SELECT request_hash AS hash, status, location, body FROM idempotency" + CLAIMED
                + " AND created_at >= now() - interval '24 hours'")
        Optional<IdempotencyRow> find(@BindMethods Claim claim);

        @SqlUpdate("""
                DELETE FROM idempotency WHERE (organization_id, route, key) IN (
                    SELECT organization_id, route, key FROM idempotency
                    WHERE created_at < now() - interval '24 hours' ORDER BY created_at LIMIT 5000)""")
        int deleteExpired();
    }

    /** As below, with the header of the request. Only API keys have idempotency keys on routes that all viewers share. */
    public static Optional<Claim> claim(Viewer viewer, RoutingContext request, String route, Object body) {
        return viewer instanceof ApiKeyCaller caller
                ? claim(caller, route, request.request().getHeader(HEADER), body)
                : Optional.empty();
    }

    /**
     * Same for an API key. A key restricted to a team or a workflow shares no stored responses with other keys, because
     * it may not see theirs.
     */
    public static Optional<Claim> claim(ApiKeyCaller caller, String route, @Nullable String key, Object body) {
        boolean restricted = caller.teamId() != null || caller.workflowId() != null;
        return claim(
                caller.organization(),
                route,
                key,
                restricted ? Arrays.asList(caller.teamId(), caller.workflowId(), body) : body);
    }

    /** Parses the header; empty if absent. A key has 1 to 255 visible ASCII characters. */
    public static Optional<Claim> claim(OrganizationId organization, String route, @Nullable String key, Object body) {
        if (key == null) {
            return Optional.empty();
        }
        if (key.isEmpty() || key.length() > 255 || !key.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw ApiProblem.invalid(Violation.parameter(
                    ViolationCode.INVALID_FORMAT,
                    "Idempotency-Key",
                    "'Idempotency-Key' must have 1 to 255 visible ASCII characters."));
        }
        return Optional.of(new Claim(organization, route, key, DigestUtils.sha256Hex(StrictJson.writeBytes(body))));
    }

    /** Runs the work and stores its response in one transaction, or returns the stored response. */
    public Response once(Optional<Claim> claim, Function<Handle, StoredResponse> work) {
        if (claim.isEmpty()) {
            return database.transaction(work).response();
        }
        return database.transaction(handle -> {
            Claim requested = claim.get();
            if (!insert(handle, requested)) {
                return stored(requested)
                        .orElseThrow(IdempotencyKeys::inProgress)
                        .replay();
            }
            StoredResponse answer = work.apply(handle);
            store(handle, requested, answer);
            return answer.response();
        });
    }

    /** As above. The response to a member has the Content-Type of the resource method, which includes a charset. */
    public Response once(Viewer viewer, Optional<Claim> claim, Function<Handle, StoredResponse> work) {
        Response response = once(claim, work);
        return viewer instanceof ApiKeyCaller
                ? response
                : Response.fromResponse(response).type((String) null).build();
    }

    /** Claims the key; false if it is already claimed. Blocks while another transaction is claiming it. */
    public static boolean insert(Handle handle, Claim claim) {
        return handle.attach(IdempotencyStore.class).insert(claim);
    }

    public static void store(Handle handle, Claim claim, StoredResponse answer) {
        handle.attach(IdempotencyStore.class).complete(claim, answer);
    }

    @Produces
    @Singleton
    MaintenanceJob deletionJob() {
        return new MaintenanceJob("delete expired idempotency keys", Duration.ofMinutes(10), this::deleteExpired);
    }

    /** Deletes expired keys in batches, so that every statement is short. */
    void deleteExpired() {
        int deleted = store.deleteExpired();
        while (deleted > 0) {
            deleted = store.deleteExpired();
        }
    }

    public static ApiProblem inProgress() {
        return ApiProblem.inProgress(
                "A request with this Idempotency-Key is still in progress.", Duration.ofSeconds(1));
    }

    /** The response of an earlier request with this key; a problem if its body was different. */
    public Optional<StoredResponse> stored(Claim claim) {
        Optional<IdempotencyRow> found = store.find(claim);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        IdempotencyRow row = found.get();
        if (!row.hash.equals(claim.hash)) {
            throw ApiProblem.of(
                    ProblemKind.IDEMPOTENCY_KEY_REUSED, "This Idempotency-Key was already used with another body.");
        }
        if (row.status == null || row.body == null) {
            throw inProgress();
        }
        return Optional.of(new StoredResponse(row.status, row.location, row.body));
    }
}
