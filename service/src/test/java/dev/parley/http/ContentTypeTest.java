package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A body must be declared as JSON; a request without a body need not be. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ContentTypeTest {
    private Tenant tenant;

    @BeforeEach
    void aTenant() {
        tenant = Tenant.create();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"*/*", "application/*", "application/*; q=1", "text/plain", "application/xml", "json", "", "/"})
    void anotherTypeIsRefused(String type) {
        refused(conversations().body(type, "{}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"iso-8859-1", "utf-16", "utf-32", "us-ascii", "\"latin1\"", "nonsense"})
    void anotherCharsetIsRefused(String charset) {
        refused(conversations().body("application/json; charset=" + charset, "{}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"utf-8", "UTF-8", "\"utf-8\"", "utf8"})
    void utf8IsAccepted(String charset) {
        conversations()
                .body("application/json; charset=" + charset, "{\"metadata\":{\"é\":\"é\"}}")
                .send()
                .expect(201);
    }

    @Test
    void anEscapedPairOfSurrogatesMayBeAKeyAndIsReadBack() {
        String body = "{\"metadata\":{\"\\ud83d\\ude0d\":\"\\ud83d\\ude0d\"}}";
        Api.Answer created = conversations()
                .header("Idempotency-Key", "pair")
                .json(body)
                .send()
                .expect(201);
        assertThat(created.text("/metadata/😍")).isEqualTo("😍");
        assertThat(conversations()
                        .header("Idempotency-Key", "pair")
                        .json("{\"metadata\":{\"😍\":\"😍\"}}")
                        .send()
                        .expect(201)
                        .body())
                .isEqualTo(created.body());
        assertThat(tenant.get("/conversations/" + created.text("/id"))
                        .expect(200)
                        .text("/metadata/😍"))
                .isEqualTo("😍");
        conversations().json("{\"metadata\":{\"\\ud83d\":1}}").send().expect(400);
    }

    @Test
    void aBodyWithoutATypeIsRefused() {
        refused(conversations().untyped("{}", false));
        refused(conversations().untyped("{}", true));
        refused(new Api()
                .post("/developer/api/messages")
                .key(tenant.key())
                .untyped("{\"conversation_id\":\"" + tenant.conversation() + "\"}", false));
        refused(tenant.browser()
                .post("/dashboard/api/organizations/" + tenant.organization() + "/workflows")
                .untyped("{}", false));
    }

    @Test
    void withoutABodyNoTypeIsNeeded() {
        conversations().send().expect(201);
        conversations().untyped("", true).send().expect(201);
        conversations().body("application/json; charset=utf-8", "{}").send().expect(201);
        assertThat(tenant.browser()
                        .post("/dashboard/api/organizations/" + tenant.organization() + "/teams")
                        .json(Map.of("name", "Team"))
                        .send()
                        .status())
                .isEqualTo(201);
        new Api()
                .post("/developer/api/workflow_instances/0192f0c1a2b37c4d8e5f60718293a4b5/pause")
                .key(tenant.key())
                .send()
                .expect(404);
    }

    private Api.Request conversations() {
        return new Api().post("/developer/api/conversations").key(tenant.key());
    }

    private static void refused(Api.Request request) {
        assertThat(request.send().expect(415).text("/error")).isEqualTo("Unsupported media type");
    }
}
