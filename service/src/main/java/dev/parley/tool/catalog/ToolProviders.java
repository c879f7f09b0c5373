package dev.parley.tool.catalog;

import dev.parley.db.Database;
import dev.parley.http.IfMatch;
import dev.parley.http.filter.RequestFilter;
import dev.parley.id.OrganizationId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.settings.Settings;
import dev.parley.tool.catalog.ToolProviderStore.ProviderRevision;
import dev.parley.tool.catalog.ToolProviderStore.RefreshResult;
import dev.parley.tool.source.Deadline;
import dev.parley.tool.source.OfferedOperation;
import dev.parley.tool.source.ProviderAccess;
import dev.parley.tool.source.ProviderKind;
import dev.parley.tool.source.ToolCredentials;
import dev.parley.tool.source.ToolDiscovery;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolSource;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Adds, changes and refreshes providers. Each time the provider's tools are discovered and stored with it. An
 * unreachable provider is kept with the reason and its previous tools; an invalid uploaded description is rejected.
 */
@Singleton
public final class ToolProviders {
    private static final Duration DISCOVERY_TIMEOUT = Duration.ofSeconds(25);

    private final Database database;
    private final ToolProviderStore store;
    private final ToolStore offered;
    private final Map<ProviderKind, ToolSource> sources = new EnumMap<>(ProviderKind.class);
    private final CredentialCipher cipher;
    private final Clock clock;
    private final boolean standby;

    public ToolProviders(
            Database database,
            @Any Instance<ToolSource> sources,
            CredentialCipher cipher,
            Clock clock,
            Settings.Engines engines) {
        this.database = database;
        this.store = database.statements(ToolProviderStore.class);
        this.offered = database.statements(ToolStore.class);
        sources.forEach(source -> this.sources.put(source.kind(), source));
        this.cipher = cipher;
        this.clock = clock;
        this.standby = engines.standby();
    }

    /** @param mayFail whether a provider whose tools cannot be discovered is stored; otherwise it is a 400 */
    ToolProvider create(ProviderAccess provider, String description, String by, boolean mayFail)
            throws InterruptedException {
        int id = store(provider, description, discover(provider, mayFail), by);
        return find(provider.organization(), id);
    }

    /** Stores a provider with its tools; a duplicate name is a 409. */
    int store(ProviderAccess provider, String description, RefreshResult refreshed, String by) {
        OrganizationId organization = provider.organization();
        Instant now = clock.instant();
        return database.transaction(() -> {
            int id = BuiltInToolId.FIRST_OWN_ID - 1 + offered.next(organization, "tool_provider");
            if (!store.insert(id, provider, description, encrypted(provider), refreshed, by, now)) {
                throw ApiProblem.of(ProblemKind.NAME_TAKEN, "Another provider has this name.");
            }
            refreshed.found().ifPresent(found -> offered.replace(organization, id, found.tools(), now));
            return id;
        });
    }

    private byte @Nullable [] encrypted(ProviderAccess provider) {
        return provider.credentials().equals(ToolCredentials.NONE)
                ? null
                : cipher.encrypt(provider.organization(), provider.credentials())
                        .bytes();
    }

    /**
     * Stored credentials are never returned, so they must not be sent to another server than they were given for:
     * redirecting a provider requires knowing them.
     */
    void requireSameDestinations(ProviderAccess before, ProviderAccess after) {
        boolean moved = !Objects.equals(before.url(), after.url())
                || !Objects.equals(before.serverUrl(), after.serverUrl())
                || !Objects.equals(before.document(), after.document())
                || !Objects.equals(before.selection(), after.selection());
        if (!moved || before.credentials().names().isEmpty()) {
            return;
        }
        ToolSource source = source(before.kind());
        try {
            if (source.destinations(before).containsAll(source.destinations(after))) {
                return;
            }
        } catch (ToolFailure failed) {
            throw ApiProblem.invalid(Violation.invalid(ViolationCode.UNREADABLE, "/document", failed.detail()));
        }
        throw ApiProblem.invalid(Violation.invalid(
                ViolationCode.REQUIRED,
                "/credentials",
                "'/credentials' must be given again: the stored ones would be sent to another server than before."));
    }

    /**
     * Stores changed settings with a refresh that used them; unchanged settings are only refreshed. A 412 if the
     * revision is not the expected one, a 409 if another request has changed the provider since it was read.
     *
     * @param description null to keep it
     */
    ToolProvider change(
            ProviderAccess before,
            ProviderAccess after,
            @Nullable String description,
            String by,
            IfMatch ifMatch,
            boolean mayFail)
            throws InterruptedException {
        ToolProvider stored = find(before.organization(), before.id());
        ifMatch.require(stored.revision(), stored.updatedBy(), Objects.requireNonNull(stored.updatedAt()));
        String described = description != null ? description : stored.description();
        RefreshResult refreshed = discover(after, mayFail);
        if (after.equals(before) && described.equals(stored.description())) {
            database.change(_ -> refresh(after, refreshed, IfMatch.ANY));
        } else {
            database.change(_ -> {
                refresh(after, refreshed, ifMatch);
                store.change(after, described, encrypted(after), by, clock.instant());
            });
        }
        return find(before.organization(), before.id());
    }

    /** Stores the result of a refresh, unless the settings that it used have been changed meanwhile. */
    private void refresh(ProviderAccess provider, RefreshResult refreshed, IfMatch ifMatch) {
        OrganizationId organization = provider.organization();
        if (lock(organization, provider.id(), ifMatch).revision() != provider.revision()) {
            throw ApiProblem.of(ProblemKind.CONFLICT, "Another request changed the provider meanwhile.");
        }
        if (!refreshed.equals(RefreshResult.NONE)) {
            Instant now = clock.instant();
            store.refresh(organization, provider.id(), refreshed, now);
            refreshed.found().ifPresent(found -> offered.replace(organization, provider.id(), found.tools(), now));
        }
    }

    private ProviderRevision lock(OrganizationId organization, int id, IfMatch ifMatch) {
        ProviderRevision now = store.lock(organization, id).orElseThrow(ToolProviders::missing);
        ifMatch.require(now.revision(), now.updatedBy(), now.updatedAt());
        return now;
    }

    /** Deletes it with its credentials; its tools' ids stay reserved. */
    void delete(OrganizationId organization, int id, IfMatch ifMatch) {
        requireOwn(id);
        database.change(_ -> {
            Instant now = clock.instant();
            var _ = lock(organization, id, ifMatch);
            store.delete(organization, id, now);
            offered.replace(organization, id, List.of(), now);
        });
    }

    ToolProvider refresh(OrganizationId organization, int id) throws InterruptedException {
        if (isBuiltIn(id)) {
            return find(organization, id);
        }
        ProviderAccess provider = own(organization, id);
        if (!provider.enabled()) {
            throw ApiProblem.of(ProblemKind.WRONG_STATUS, "The provider is not enabled.");
        }
        RefreshResult refreshed = discover(provider, true);
        database.change(_ -> refresh(provider, refreshed, IfMatch.ANY));
        return find(organization, id);
    }

    /**
     * The operations among which tools may be chosen; a description that cannot be read is a 400. On standby no
     * description is fetched (503).
     */
    List<OfferedOperation> operations(ProviderAccess provider) throws InterruptedException {
        if (!provider.enabled()) {
            throw ApiProblem.of(ProblemKind.WRONG_STATUS, "The provider is not enabled.");
        }
        if (standby && provider.kind() == ProviderKind.OPENAPI && provider.document() == null) {
            throw RequestFilter.standby();
        }
        try {
            return source(provider.kind()).operations(provider, Deadline.in(DISCOVERY_TIMEOUT));
        } catch (ToolFailure failed) {
            boolean isUploaded = provider.document() != null;
            throw ApiProblem.invalid(
                    isUploaded
                            ? Violation.invalid(ViolationCode.UNREADABLE, "/document", failed.detail())
                            : new Violation(
                                    Violation.DISCOVERY_FAILED, ViolationCode.UNREACHABLE, "/url", failed.detail()));
        }
    }

    ToolProvider find(OrganizationId organization, int id) {
        if (id == BuiltInToolId.PROVIDER_ID) {
            return ToolProvider.BUILT_IN;
        }
        return store.find(organization, id).orElseThrow(ToolProviders::missing);
    }

    ProviderAccess own(OrganizationId organization, int id) {
        requireOwn(id);
        return store.access(organization, id, true)
                .orElseThrow(ToolProviders::missing)
                .decrypted(cipher);
    }

    private static void requireOwn(int id) {
        if (isBuiltIn(id)) {
            throw ApiProblem.of(ProblemKind.NOT_CHANGEABLE, "A built-in provider cannot be changed.");
        }
    }

    /** Whether the service itself offers the tools, so that nobody can change or refresh the provider. */
    public static boolean isBuiltIn(int id) {
        return id == BuiltInToolId.PROVIDER_ID || id == WorkflowProvider.ID;
    }

    private RefreshResult discover(ProviderAccess provider, boolean mayFail) throws InterruptedException {
        if (!provider.enabled()) {
            return RefreshResult.NONE;
        }
        try {
            ToolDiscovery found = source(provider.kind()).discover(provider, Deadline.in(DISCOVERY_TIMEOUT));
            return new RefreshResult(Optional.of(found), Optional.empty());
        } catch (ToolFailure failed) {
            if (provider.document() != null) {
                throw ApiProblem.invalid(Violation.invalid(ViolationCode.UNREADABLE, "/document", failed.detail()));
            }
            if (!mayFail) {
                String field = provider.command() != null ? "/command" : "/url";
                throw ApiProblem.invalid(
                        new Violation(Violation.DISCOVERY_FAILED, ViolationCode.UNREACHABLE, field, failed.detail()));
            }
            return new RefreshResult(Optional.empty(), Optional.of(failed.detail()));
        }
    }

    private static ApiProblem missing() {
        return ApiProblem.notFound("tool provider");
    }

    public ToolSource source(ProviderKind kind) {
        return Objects.requireNonNull(sources.get(kind), () -> "no source for " + kind);
    }
}
