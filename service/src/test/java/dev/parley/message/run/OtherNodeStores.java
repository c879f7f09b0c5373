package dev.parley.message.run;

import dev.parley.TestSize;
import dev.parley.conversation.ConversationActivityRecorder;
import dev.parley.db.BackgroundThrottle;
import dev.parley.db.Database;
import dev.parley.event.ConversationCallbacks;
import dev.parley.event.EventLog;
import dev.parley.event.EventSubscriptions;
import dev.parley.message.MessageEvents;
import dev.parley.node.NodeLease;
import dev.parley.usage.UsageCounters;
import java.time.Clock;
import java.util.List;

/** The stores of a node other than the one under test, on the same database. */
final class OtherNodeStores {
    private OtherNodeStores() {}

    static MessageEvents events(Database database, ConversationCallbacks callbacks) {
        var subscriptions = new EventSubscriptions(database, callbacks, Clock.systemUTC());
        return new MessageEvents(
                new EventLog(subscriptions, List.of(), Clock.systemUTC()),
                callbacks,
                new UsageCounters(database, Clock.systemUTC()));
    }

    static MessageStore messages(Database database, NodeLease node) {
        return new MessageStore(
                database,
                node,
                new ConversationActivityRecorder(database),
                new BackgroundThrottle(),
                TestSize.SMALLEST);
    }
}
