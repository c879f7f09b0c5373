package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.http.IfMatch;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.settings.Settings;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates and changes organizations. */
@Singleton
public final class Organizations {
    private final Database database;
    private final OrganizationStore store;
    private final MemberStore members;
    private final Clock clock;
    private final int defaultMessagesPerMinute;

    public Organizations(Database database, Clock clock, Settings.Quotas quotas) {
        this.database = database;
        this.store = database.statements(OrganizationStore.class);
        this.members = database.statements(MemberStore.class);
        this.clock = clock;
        this.defaultMessagesPerMinute = quotas.messagesPerMinute();
    }

    /** The organization's message rate: its own, or the installation's default. */
    public int messagesPerMinute(OrganizationId id) {
        return store.messagesPerMinute(id).orElse(defaultMessagesPerMinute);
    }

    /** Creates an organization and its first owner. */
    public OrganizationId create(String name, UserId owner) {
        return database.transaction(() -> {
            OrganizationId id = OrganizationId.next();
            Instant now = clock.instant();
            store.insert(id, name, now);
            members.insert(id, owner, Role.OWNER.text(), now);
            return id;
        });
    }

    /** An organization as the user sees it, who may be a non-member. */
    public Optional<Organization> find(OrganizationId id, UserId user) {
        return store.find(id, user, defaultMessagesPerMinute);
    }

    /** The organizations of a user, oldest first. */
    public List<Organization> ofMember(UserId user, Optional<OrganizationId> after, int limit) {
        return store.ofMember(user, after, limit, defaultMessagesPerMinute);
    }

    /** All organizations of the installation, oldest first, for an operator. */
    List<Organization> all(UserId user, Optional<OrganizationId> after, int limit) {
        return store.all(user, after, limit, defaultMessagesPerMinute);
    }

    /**
     * A change of an organization.
     *
     * @param name empty if it stays unchanged
     * @param setsLimit whether the limit changes; otherwise it is ignored
     * @param limit null for the installation's default
     * @param setsModels whether the allowed models change; otherwise they are ignored
     * @param models null for all
     */
    record OrganizationUpdate(
            Optional<String> name,
            boolean setsLimit,
            @Nullable Integer limit,
            boolean setsModels,
            @Nullable List<String> models) {}

    /** Changes it if it exists; another revision is a 412. */
    void change(OrganizationId id, OrganizationUpdate update, UserId user, String by, IfMatch ifMatch) {
        database.change(_ -> {
            if (store.lock(id).isEmpty()) {
                return;
            }
            Organization before = find(id, user).orElseThrow();
            ifMatch.require(before.revision(), before.updatedBy(), before.updatedAt());
            String name = update.name().orElse(before.name());
            Integer limit = update.setsLimit() ? update.limit() : before.messagesPerMinute();
            List<String> models = update.setsModels() ? update.models() : before.allowedModels();
            if (name.equals(before.name())
                    && Objects.equals(limit, before.messagesPerMinute())
                    && Objects.equals(models, before.allowedModels())) {
                return;
            }
            store.change(id, name, limit, models, by, clock.instant());
        });
    }

    /** Marks it as deleted; its keys get 422 from then on. */
    public void delete(OrganizationId id) {
        store.delete(id, clock.instant());
    }
}
