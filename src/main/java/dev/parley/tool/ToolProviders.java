package dev.parley.tool;

import dev.parley.http.IfMatch;
import dev.parley.http.RequestFilter;
import dev.parley.id.OrganizationId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.settings.Settings;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
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

    private final ToolProviderStore store;
    private final ToolService tools;
    private final boolean standby;

    public ToolProviders(ToolProviderStore store, ToolService tools, Settings.Engines engines) {
        this.store = store;
        this.tools = tools;
        this.standby = engines.standby();
    }

    /** @param mayFail whether a provider whose tools cannot be discovered is stored; otherwise it is a 400 */
    ToolProvider create(ProviderAccess provider, String description, String by, boolean mayFail)
            throws InterruptedException {
        int id = store.create(provider, description, discover(provider, mayFail), by);
        return find(provider.organization(), id);
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
        ToolSource source = tools.source(before.kind());
        try {
            if (source.destinations(before).containsAll(source.destinations(after))) {
                return;
            }
        } catch (ToolFailure failed) {
            throw ApiProblem.invalid(Violation.invalid("/document", failed.detail()));
        }
        throw ApiProblem.invalid(Violation.invalid(
                "/credentials",
                "'/credentials' must be given again: the stored ones would be sent to another server than before."));
    }

    /**
     * Stores changed settings with a refresh that used them; unchanged settings are only refreshed.
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
        ToolProviderStore.RefreshResult refreshed = discover(after, mayFail);
        if (after.equals(before) && described.equals(stored.description())) {
            store.refresh(after, refreshed);
        } else {
            store.change(after, described, refreshed, by, ifMatch);
        }
        return find(before.organization(), before.id());
    }

    ToolProvider refresh(OrganizationId organization, int id) throws InterruptedException {
        if (isBuiltIn(id)) {
            return find(organization, id);
        }
        ProviderAccess provider = store.access(organization, id).orElseThrow(ToolProviders::missing);
        if (!provider.enabled()) {
            throw ApiProblem.of(ProblemKind.CONFLICT, "The provider is not enabled.");
        }
        store.refresh(provider, discover(provider, true));
        return find(organization, id);
    }

    /**
     * The operations among which tools may be chosen; a description that cannot be read is a 400. On standby no
     * description is fetched (503).
     */
    List<OfferedOperation> operations(ProviderAccess provider) throws InterruptedException {
        if (!provider.enabled()) {
            throw ApiProblem.of(ProblemKind.CONFLICT, "The provider is not enabled.");
        }
        if (standby && provider.kind() == ProviderKind.OPENAPI && provider.document() == null) {
            throw RequestFilter.standby();
        }
        try {
            return tools.source(provider.kind()).operations(provider, Deadline.in(DISCOVERY_TIMEOUT));
        } catch (ToolFailure failed) {
            boolean isUploaded = provider.document() != null;
            throw ApiProblem.invalid(
                    isUploaded
                            ? Violation.invalid("/document", failed.detail())
                            : new Violation(Violation.DISCOVERY_FAILED, "/url", failed.detail()));
        }
    }

    ToolProvider find(OrganizationId organization, int id) {
        if (id == BuiltInToolId.PROVIDER_ID) {
            return ToolProvider.BUILT_IN;
        }
        return store.find(organization, id).orElseThrow(ToolProviders::missing);
    }

    ProviderAccess own(OrganizationId organization, int id) {
        if (isBuiltIn(id)) {
            throw ApiProblem.of(ProblemKind.CONFLICT, "A built-in provider cannot be changed.");
        }
        return store.access(organization, id).orElseThrow(ToolProviders::missing);
    }

    /** Whether the service itself offers the tools, so that nobody can change or refresh the provider. */
    static boolean isBuiltIn(int id) {
        return id == BuiltInToolId.PROVIDER_ID || id == WorkflowProvider.ID;
    }

    private ToolProviderStore.RefreshResult discover(ProviderAccess provider, boolean mayFail)
            throws InterruptedException {
        if (!provider.enabled()) {
            return ToolProviderStore.RefreshResult.NONE;
        }
        try {
            ToolDiscovery found = tools.source(provider.kind()).discover(provider, Deadline.in(DISCOVERY_TIMEOUT));
            return new ToolProviderStore.RefreshResult(Optional.of(found), Optional.empty());
        } catch (ToolFailure failed) {
            if (provider.document() != null) {
                throw ApiProblem.invalid(Violation.invalid("/document", failed.detail()));
            }
            if (!mayFail) {
                String field = provider.command() != null ? "/command" : "/url";
                throw ApiProblem.invalid(new Violation(Violation.DISCOVERY_FAILED, field, failed.detail()));
            }
            return new ToolProviderStore.RefreshResult(Optional.empty(), Optional.of(failed.detail()));
        }
    }

    private static ApiProblem missing() {
        return ApiProblem.notFound("tool provider");
    }
}
