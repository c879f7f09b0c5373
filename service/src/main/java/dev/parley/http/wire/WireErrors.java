package dev.parley.http.wire;

import dev.parley.http.filter.ProblemResponse;
import dev.parley.http.filter.RequestFilter;
import dev.parley.http.json.StrictJson;
import dev.parley.id.UuidV7;
import dev.parley.problem.ApiProblem;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;

/** The response to bytes that are not a valid request: the API's error body. The connection is closed afterwards. */
final class WireErrors {
    private WireErrors() {}

    /** @param toHead whether the request was a HEAD, whose response has no body */
    static FullHttpResponse of(ApiProblem problem, boolean toHead) {
        byte[] body = StrictJson.writeBytes(ProblemResponse.body(problem));
        var response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(problem.kind().status()),
                toHead ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
                .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
                .set("X-Content-Type-Options", "nosniff")
                .set(RequestFilter.REQUEST_ID, UuidV7.text(UuidV7.next()));
        return response;
    }
}
