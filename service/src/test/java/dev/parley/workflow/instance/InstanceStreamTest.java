package dev.parley.workflow.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.apikey.NewApiKey;
import dev.parley.event.SseClient;
import dev.parley.http.json.StrictJson;
import dev.parley.id.WorkflowId;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams of single instances and of their conversations. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class InstanceStreamTest {
    @Inject
    TestOrganizations organizations;

    private final List<SseClient> open = new ArrayList<>();
    private Tenant tenant;
    private WorkflowId workflow;

    @BeforeEach
    void aWorkflowThatAsks() {
        tenant = Tenant.create();
        workflow = Workflows.of(tenant).human("approve").publish();
    }

    @AfterEach
    void close() {
        open.forEach(SseClient::close);
    }

    @Test
    void bothStreamsReportTheStatusAndTheInstancesEnds() {
        String conversation = conversation();
        tenant.send(conversation, "Please").expect(200);
        String instance = paused(conversation);
        SseClient ofConversation = follow("/conversations/" + conversation, tenant.key());
        SseClient ofInstance = follow("/workflow_instances/" + instance, tenant.key());
        tenant.post("/workflow_instances/" + instance + "/cancel", Map.of()).expect(200);
        ofInstance.awaitEnd();
        assertThat(ofInstance.endedWell()).isTrue();
        List<SseClient.Received> events = ofInstance.received();
        assertThat(events)
                .extracting(SseClient.Received::type)
                .containsExactly("ticket.updated", "message.created", "workflow_instance.status_changed");
        assertThat(status(events.getLast())).isEqualTo("CANCELLED");
        ofConversation.await(found -> found.contains(events.getLast()));
        assertThat(tenant.get("/conversations/" + conversation + "/messages")
                        .json()
                        .findValuesAsText("workflow_instance_status"))
                .as("the message that started it, and those of the service")
                .hasSize(3)
                .containsOnly("CANCELLED");
        tenant.send(conversation, "Again").expect(200);
        ofConversation.await(found -> found.stream().anyMatch(one -> "PAUSED".equals(status(one))));
    }

    @Test
    void resumingAfterTheEndReturnsTheRestAndThen204() {
        String instance = triggered();
        SseClient stream = follow("/workflow_instances/" + instance, tenant.key());
        tenant.post("/workflow_instances/" + instance + "/cancel", Map.of()).expect(200);
        stream.awaitEnd();
        List<SseClient.Received> events = stream.received();
        assertThat(events).hasSizeGreaterThan(1);
        String path = "/developer/api/workflow_instances/" + instance + "/events";
        SseClient again = keep(SseClient.open(
                path,
                "Authorization",
                "Bearer " + tenant.key(),
                "Last-Event-ID",
                events.getFirst().id()));
        again.awaitEnd();
        assertThat(again.endedWell()).isTrue();
        assertThat(again.received()).isEqualTo(events.subList(1, events.size()));
        new Api()
                .get(path)
                .key(tenant.key())
                .header("Last-Event-ID", events.getLast().id())
                .send()
                .expect(204);
        new Api().get(path).key(tenant.key()).send().expect(204);
    }

    @Test
    void aHeadEndsWithTheHead() {
        String instance = triggered();
        String path = "/developer/api/workflow_instances/" + instance + "/events";
        Api.Answer head =
                new Api().method("HEAD", path).key(tenant.key()).send().expect(200);
        assertThat(head.header("Content-Type")).startsWith("text/event-stream");
        tenant.post("/workflow_instances/" + instance + "/cancel", Map.of()).expect(200);
        new Api().method("HEAD", path).key(tenant.key()).send().expect(204);
    }

    @Test
    void aPersonFollowsAnInstanceByTheSession() {
        String instance = triggered();
        TestOrganizations.TestUser person = organizations.testUser();
        organizations.join(tenant.organization(), person, dev.parley.organization.Role.MEMBER);
        String path = "/dashboard/api/organizations/" + tenant.organization() + "/instances/" + instance + "/events";
        SseClient stream = keep(SseClient.open(
                path, "Cookie", "parley_session=" + person.browser().session().orElseThrow()));
        assertThat(stream.status()).isEqualTo(200);
        person.browser()
                .post(path.replace("/events", "/cancel"))
                .json(Map.of())
                .send()
                .expect(200);
        stream.awaitEnd();
        assertThat(status(stream.received().getLast())).isEqualTo("CANCELLED");
        person.browser().get(path).send().expect(204);
        Api.dashboard().get(path).send().expect(401);
        organizations.testUser().browser().get(path).send().expect(404);
        person.browser().get(path.replace(instance, "nonsense")).send().expect(404);
    }

    @Test
    void restrictionsAreThoseOfTheStatusRoute() {
        String conversation = conversation();
        tenant.send(conversation, "Please").expect(200);
        String instance = paused(conversation);
        String path = "/developer/api/workflow_instances/" + instance + "/events";
        new Api().get(path).send().expect(401);
        new Api().get(path).key(Tenant.create().key()).send().expect(404);
        WorkflowId other = Workflows.of(tenant).ai("other").publish();
        assertThat(new Api()
                        .get(path)
                        .key(key(Optional.empty(), Optional.of(other)))
                        .send()
                        .expect(403)
                        .body())
                .isEqualTo("{\"error\":\"API key is not authorized for this workflow\"}");
        String own = key(Optional.empty(), Optional.of(workflow));
        assertThat(follow("/workflow_instances/" + instance, own).status()).isEqualTo(200);
        new Api()
                .get(path)
                .key(key(Optional.of(team()), Optional.empty()))
                .send()
                .expect(404);
        new Api().get(path + "?last_event_id=x").key(tenant.key()).send().expect(400);
    }

    private int team() {
        return Tenant.bean(dev.parley.db.Database.class).with(handle -> handle.select(
                        "INSERT INTO team (organization_id, id, name, created_at) VALUES (?, 1, 'Team', now())"
                                + " RETURNING id",
                        tenant.organization().value())
                .mapTo(Integer.class)
                .one());
    }

    private String key(Optional<Integer> team, Optional<WorkflowId> of) {
        return organizations.key(tenant.organization(), new NewApiKey("restricted", team, of, Optional.empty()));
    }

    private String conversation() {
        return tenant.post(
                        "/conversations",
                        Map.of("usecase", "WORKFLOW_EXECUTION", "config", Map.of("workflow_id", workflow.text())))
                .expect(201)
                .text("/id");
    }

    private String paused(String conversation) {
        return Tenant.eventually(
                        () -> tenant.get("/conversations/" + conversation + "/messages"), answer -> answer.json()
                                .at("/0/metadata/workflow_instance_status")
                                .asText()
                                .equals("PAUSED"))
                .text("/0/metadata/workflow_instance_id");
    }

    private String triggered() {
        Api.Answer answer = tenant.post("/workflows/" + workflow + "/trigger/sync", Map.of("human_msg", "Please"))
                .expect(200);
        assertThat(answer.text("/status")).isEqualTo("PAUSED");
        return answer.text("/workflow_instance_id");
    }

    private static String status(SseClient.Received event) {
        return event.type().equals("workflow_instance.status_changed")
                ? StrictJson.readTrusted(event.data(), JsonNode.class)
                        .at("/data/status")
                        .asText()
                : "";
    }

    private SseClient follow(String path, String key) {
        SseClient stream = keep(SseClient.open("/developer/api" + path + "/events", "Authorization", "Bearer " + key));
        assertThat(stream.status()).isEqualTo(200);
        return stream;
    }

    private SseClient keep(SseClient stream) {
        open.add(stream);
        return stream;
    }
}
