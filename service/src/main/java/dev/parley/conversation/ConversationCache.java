package dev.parley.conversation;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.db.Database;
import dev.parley.event.ConversationCallbacks;
import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.settings.ServiceSize;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The immutable properties of recently used conversations. */
@Singleton
public final class ConversationCache implements ConversationCallbacks {
    /** In the smallest heap. */
    private static final int RECENT_CONVERSATIONS = 50_000;

    private final ConversationStore store;
    private final Cache<ConversationKey, ConversationRef> recent;

    public ConversationCache(Database database, ServiceSize size) {
        this.store = database.statements(ConversationStore.class);
        this.recent = Caffeine.newBuilder()
                .maximumSize(size.byHeap(RECENT_CONVERSATIONS))
                .build();
    }

    /** The cached conversation; empty if it must be looked up. Never blocks. */
    public Optional<ConversationRef> recent(OrganizationId organization, ConversationId id) {
        return Optional.ofNullable(recent.getIfPresent(new ConversationKey(organization, id)));
    }

    /** The conversation for processing, from the cache or the database. */
    public Optional<ConversationRef> ref(OrganizationId organization, ConversationId id) {
        return recent(organization, id).or(() -> {
            Optional<ConversationRef> found = store.findRef(organization, id);
            found.ifPresent(ref -> recent.put(new ConversationKey(organization, id), ref));
            return found;
        });
    }

    @Override
    public Optional<String> url(OrganizationId organization, ConversationId conversation) {
        return ref(organization, conversation).map(ConversationRef::callbackUrl);
    }
}
