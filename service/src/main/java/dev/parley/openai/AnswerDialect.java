package dev.parley.openai;

import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How one of OpenAI's APIs writes an answer. */
interface AnswerDialect {
    /** The object of a request without a stream. */
    Map<String, @Nullable Object> whole(CompletionAnswer answer);

    AnswerStream stream(RoutingContext http);
}
