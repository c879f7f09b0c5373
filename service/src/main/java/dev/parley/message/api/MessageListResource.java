package dev.parley.message.api;

import static dev.parley.http.access.Access.Caller.KEY;

import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.parley.conversation.ConversationRef;
import dev.parley.conversation.ConversationService;
import dev.parley.http.PacedOutputStream;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.access.ApiKeyCaller;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.message.Message;
import dev.parley.message.MessageReader;
import dev.parley.settings.ServiceSize;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The messages of a conversation in the developer API. */
@Path("/developer/api/conversations/{conversation_id}/messages")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Messages")
@Access(KEY)
public final class MessageListResource {
    private static final int MAX_PAGE = 1_000;

    private static final int FIRST_STREAM_PAGE = 50;
    private static final int MAX_STREAM_PAGE = 500;

    /** Of the pages of all streams together in the smallest heap, and the least that each stream gets of it. */
    private static final int STREAMS_BYTES = 8 << 20;

    private static final int MIN_STREAM_BYTES = 16 << 10;

    /** Memory of a message without its text. */
    private static final int MESSAGE_BYTES = 500;

    /** Writes rows of a stream without flushing each, which would make each a packet. */
    private static final ObjectWriter ROWS =
            StrictJson.mapper().writer().without(SerializationFeature.FLUSH_AFTER_WRITE_VALUE);

    private final ConversationService conversations;
    private final MessageReader reader;

    /** Lists that are being streamed. */
    private final AtomicInteger streams = new AtomicInteger();

    /** Few pages of streams are read at a time, so that other requests find connections to the database. */
    private final Semaphore streamReads;

    private final int streamsBytes;

    public MessageListResource(ConversationService conversations, MessageReader reader, ServiceSize size) {
        this.streamReads = new Semaphore(size.concurrentReads(), true);
        this.streamsBytes = size.byHeap(STREAMS_BYTES);
        this.conversations = conversations;
        this.reader = reader;
    }

    @GET
    @Operation(
            operationId = "listMessages",
            summary = "Read the messages of a conversation, newest first",
            description = "Without parameters, returns all messages as a stream. With limit, returns a page; the "
                    + "Link header has the next one.")
    @APIResponse(
            responseCode = "200",
            description = "Messages, newest first",
            headers = @Header(name = "Link", schema = @Schema(type = SchemaType.STRING)),
            content = @Content(schema = @Schema(type = SchemaType.ARRAY, implementation = Message.class)))
    public Response list(
            @Context RoutingContext http,
            @PathParam("conversation_id") ConversationId id,
            @Parameter(schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "1000"))
                    @QueryParam("limit")
                    @Nullable
                    String limit,
            @Parameter(description = "A message id: the page begins after it.") @QueryParam("after") @Nullable
                    String after) {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        var validator = new RequestValidator();
        Optional<MessageId> cursor = validator.parameterId(after, "after", MessageId::parse);
        validator.done();
        boolean whole = limit == null && cursor.isEmpty();
        int most = Page.limit(limit, MAX_PAGE, MAX_PAGE);
        ConversationRef conversation = conversations.find(caller, id);
        if (whole) {
            return Response.ok(stream(conversation)).build();
        }
        Page<Message> page = reader.page(caller.organization(), conversation.id(), cursor.orElse(null), most);
        Response.ResponseBuilder response = Response.ok(StrictJson.writeBytes(page.items()));
        if (page.next() != null) {
            response.header(
                    "Link",
                    "</developer/api/conversations/" + conversation.id() + "/messages?limit=" + most + "&after="
                            + page.next() + ">; rel=\"next\"");
        }
        return response.build();
    }

    /** Page after page, so that a slow reader holds no row, no connection, and few messages. */
    private StreamingOutput stream(ConversationRef conversation) {
        return output -> {
            streams.incrementAndGet();
            try (var json = StrictJson.mapper().createGenerator(PacedOutputStream.of(output))) {
                json.writeStartArray();
                Optional<MessageId> after = Optional.empty();
                int pageSize = FIRST_STREAM_PAGE;
                do {
                    int pageBytes = Math.max(MIN_STREAM_BYTES, streamsBytes / streams.get());
                    Page<Message> page = streamPage(conversation, after.orElse(null), pageSize, pageBytes);
                    long bytes = 0;
                    for (Message message : page.items()) {
                        ROWS.writeValue(json, message);
                        String text = message.content();
                        bytes += MESSAGE_BYTES + (text == null ? 0 : text.length());
                    }
                    pageSize =
                            Math.clamp((long) pageBytes * page.items().size() / Math.max(1, bytes), 1, MAX_STREAM_PAGE);
                    after = Optional.ofNullable(page.next()).flatMap(MessageId::parse);
                } while (after.isPresent());
                json.writeEndArray();
            } finally {
                streams.decrementAndGet();
            }
        };
    }

    private Page<Message> streamPage(ConversationRef conversation, @Nullable MessageId after, int size, int bytes) {
        streamReads.acquireUninterruptibly();
        try {
            return reader.page(conversation.organization(), conversation.id(), after, size, bytes);
        } finally {
            streamReads.release();
        }
    }
}
