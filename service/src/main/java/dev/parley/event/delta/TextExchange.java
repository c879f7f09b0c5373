package dev.parley.event.delta;

import dev.parley.db.Database;
import dev.parley.event.EventLog.StreamKey;
import dev.parley.event.NotificationListener;
import dev.parley.event.delta.LiveText.TextPart;
import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import dev.parley.id.WorkflowInstanceId;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Passes texts between nodes by PostgreSQL notifications: offers and requests to all nodes, and the texts to those that
 * requested them. Lost notifications are noticed by the next piece's offset.
 */
@Singleton
public final class TextExchange {
    /** The channel of offers and requests. */
    static final String CHANNEL = "parley_live_texts";

    private static final Logger LOG = Logger.getLogger(TextExchange.class);

    /** PostgreSQL limits a payload to 7,999 bytes. */
    private static final int MAX_PAYLOAD_BYTES = 7_900;

    /** Does not wait for the disk, since nothing is stored. A single node sends none: their commits are serialized. */
    private static final String NOTIFY = """
            SELECT set_config('synchronous_commit', 'off', true), pg_notify(n.channel, n.payload)
            FROM unnest(?::text[], ?::text[]) AS n (channel, payload)
            WHERE (SELECT count(*) FROM node) > 1
            """;

    private final Database database;

    /** Names this process; a node's id changes when it is fenced. */
    private final String self = UuidV7.text(UuidV7.next());

    private final Queue<Notification> queue = new ConcurrentLinkedQueue<>();
    private final Map<FollowedText, SentPosition> followed = new ConcurrentHashMap<>();
    private volatile Consumer<TextNote> receiver = _ -> {};

    public TextExchange(Database database) {
        this.database = database;
    }

    private record Notification(String channel, String payload) {}

    private record FollowedText(LiveText text, String node) {}

    /** How much of a text was sent. */
    private record SentPosition(int generation, int offset) {}

    /** A notification of another node, which {@code from} names. */
    sealed interface TextNote {
        /** A text of the stream has begun. */
        record TextOffer(String from, StreamKey stream) implements TextNote {}

        /** The node wants the texts of the stream. */
        record TextRequest(String from, StreamKey stream) implements TextNote {}

        /** A piece of a text. */
        record TextChunk(
                String from,
                UUID text,
                TextSource source,
                String members,
                int generation,
                int offset,
                String piece,
                boolean isEnd)
                implements TextNote {}
    }

    void onNote(Consumer<TextNote> consumer) {
        receiver = consumer;
    }

    /** The channel of the texts for this node. */
    String ownChannel() {
        return channelOf(self);
    }

    private static String channelOf(String node) {
        return "parley_live_text_" + node;
    }

    void offer(StreamKey stream) {
        queue.add(new Notification(CHANNEL, about('O', stream)));
    }

    void request(StreamKey stream) {
        queue.add(new Notification(CHANNEL, about('R', stream)));
    }

    /** Declines a node's further pieces, because the stream has no readers here. */
    void decline(StreamKey stream, String node) {
        queue.add(new Notification(channelOf(node), about('L', stream)));
    }

    private String about(char kind, StreamKey stream) {
        return kind + " " + self + " " + stream.organization() + " " + UuidV7.text(stream.stream());
    }

    /** Sends a text to a node, from its beginning. */
    void follow(LiveText text, String node) {
        followed.put(new FollowedText(text, node), new SentPosition(-1, 0));
    }

    boolean isFollowed(LiveText text) {
        return followed.keySet().stream().anyMatch(one -> one.text.equals(text));
    }

    private void leave(StreamKey stream, String node) {
        followed.keySet()
                .removeIf(
                        one -> one.node.equals(node) && one.text.source().key().equals(stream));
    }

    /**
     * Sends the queued notifications and the new pieces of followed texts. After a failure the other nodes ask again,
     * or get the stored reply.
     */
    synchronized void send() {
        List<Notification> due = new ArrayList<>();
        for (Notification next = queue.poll(); next != null; next = queue.poll()) {
            due.add(next);
        }
        followed.forEach((one, sent) -> addPieces(one, sent, due));
        if (due.isEmpty()) {
            return;
        }
        try {
            int _ = database.<Integer>jdbc(connection -> {
                try (PreparedStatement statement = connection.prepareStatement(NOTIFY)) {
                    statement.setArray(1, connection.createArrayOf("text", texts(due, Notification::channel)));
                    statement.setArray(2, connection.createArrayOf("text", texts(due, Notification::payload)));
                    statement.execute();
                    return due.size();
                }
            });
        } catch (RuntimeException e) {
            LOG.debugf("Live texts could not be passed on: %s", e.getMessage());
        }
    }

    private static Object[] texts(List<Notification> due, Function<Notification, String> part) {
        return due.stream().map(part).toArray();
    }

    private void addPieces(FollowedText one, SentPosition sent, List<Notification> into) {
        LiveText text = one.text;
        TextPart part = text.since(sent.generation, sent.offset);
        boolean isNew = part.generation() != sent.generation;
        if (part.text().isEmpty() && !isNew && !part.isEnded()) {
            return;
        }
        int start = isNew ? 0 : sent.offset;
        int from = 0;
        do {
            String head = head(text, part.generation(), start + from);
            int end = end(part.text(), from, MAX_PAYLOAD_BYTES - bytes(head) - bytes(text.members()));
            boolean isEnd = part.isEnded() && end == part.text().length();
            into.add(new Notification(
                    channelOf(one.node),
                    (isEnd ? 'E' : 'T') + head + text.members() + part.text().substring(from, end)));
            from = end;
        } while (from < part.text().length());
        var next = new SentPosition(part.generation(), start + from);
        if (part.isEnded()) {
            followed.remove(one);
        } else {
            followed.replace(one, sent, next);
        }
    }

    private String head(LiveText text, int generation, int offset) {
        TextSource source = text.source();
        return String.join(
                " ",
                "",
                self,
                source.organization().text(),
                source.conversation() == null ? "-" : source.conversation().text(),
                source.instance() == null ? "-" : source.instance().text(),
                UuidV7.text(text.id()),
                String.valueOf(generation),
                String.valueOf(offset),
                String.valueOf(text.members().length()),
                "");
    }

    /** The end of the longest piece from {@code from} of at most this many bytes, between two code points. */
    private static int end(String text, int from, int maxBytes) {
        int bytes = 0;
        int at = from;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (bytes > maxBytes && at > from) {
                break;
            }
            at += Character.charCount(point);
        }
        return at;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private record TextListener(String channel, Consumer<String> reader) implements NotificationListener {
        @Override
        public void onNotification(String payload) {
            reader.accept(payload);
        }
    }

    /** Offers and requests, which all nodes get. */
    @Produces
    @Singleton
    NotificationListener offers() {
        return new TextListener(CHANNEL, this::onNotification);
    }

    /** The texts that this node requested. */
    @Produces
    @Singleton
    NotificationListener requestedTexts() {
        return new TextListener(ownChannel(), this::onNotification);
    }

    void onNotification(String payload) {
        try {
            TextNote note = read(payload);
            if (note != null) {
                receiver.accept(note);
            }
        } catch (RuntimeException e) {
            LOG.debugf("A notification of a live text was ignored: %s", e.getMessage());
        }
    }

    /** Null if there is nothing to pass on: it is of this node, a decline, or known only to a later version. */
    private @Nullable TextNote read(String payload) {
        String[] fields = payload.split(" ", 10);
        String from = UuidV7.text(UuidV7.parse(fields[1]).orElseThrow()); // It becomes the name of a channel.
        if (from.equals(self)) {
            return null;
        }
        var organization = new OrganizationId(UuidV7.parse(fields[2]).orElseThrow());
        return switch (fields[0]) {
            case "O" -> new TextNote.TextOffer(from, stream(organization, fields));
            case "R" -> new TextNote.TextRequest(from, stream(organization, fields));
            case "L" -> {
                leave(stream(organization, fields), from);
                yield null;
            }
            case "T", "E" -> {
                var source = new TextSource(
                        organization,
                        ConversationId.parse(fields[3]).orElse(null),
                        UuidV7.parse(fields[4]).map(WorkflowInstanceId::new).orElse(null));
                int members = Integer.parseInt(fields[8]);
                yield new TextNote.TextChunk(
                        from,
                        UuidV7.parse(fields[5]).orElseThrow(),
                        source,
                        fields[9].substring(0, members),
                        Integer.parseInt(fields[6]),
                        Integer.parseInt(fields[7]),
                        fields[9].substring(members),
                        fields[0].equals("E"));
            }
            default -> null;
        };
    }

    private static StreamKey stream(OrganizationId organization, String[] fields) {
        return new StreamKey(organization, UuidV7.parse(fields[3]).orElseThrow());
    }
}
