package dev.parley.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.id.WorkflowId;
import dev.parley.workflow.instance.Workflows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ConversationSummaryTest {
    private Tenant tenant;
    private Api browser;
    private String base;

    @BeforeEach
    void aTenant() {
        tenant = Tenant.create();
        browser = tenant.browser();
        base = "/dashboard/api/organizations/" + tenant.organization();
    }

    private JsonNode list(String query) {
        return browser.get(base + "/conversation-summaries?" + query)
                .send()
                .expect(200)
                .json();
    }

    private List<String> ids(String query) {
        List<String> ids = new ArrayList<>();
        list(query).get("items").forEach(item -> ids.add(item.get("id").asText()));
        return ids;
    }

    /** A conversation with a message and its reply. */
    private String answered(String text) {
        String id = tenant.conversation();
        tenant.send(id, text).expect(200);
        Tenant.eventually(
                () -> tenant.get("/conversations/" + id + "/messages").json().size(), count -> count == 2);
        return id;
    }

    private Api.Answer rename(String id, Map<String, ?> body) {
        return browser.patch(base + "/conversations/" + id).json(body).send();
    }

    @Test
    void aConversationIsUnreadUntilItsLastMessageWasSeen() {
        String id = answered("Where is my parcel?");

        JsonNode item = list("unread=true").at("/items/0");
        assertThat(item.at("/first_message/text").asText()).isEqualTo("Where is my parcel?");
        assertThat(item.at("/last_message/type").asText()).isEqualTo("AGENT_RESPONSE");
        assertThat(item.get("last_activity_at")).isEqualTo(item.at("/last_message/created_at"));
        assertThat(item.get("unread").asBoolean()).isTrue();

        String read = base + "/conversations/" + id + "/read-position";
        String first = item.at("/first_message/id").asText();
        browser.put(read).json(Map.of("message_id", first)).send().expect(204);
        assertThat(ids("unread=true")).containsExactly(id);
        String last = item.at("/last_message/id").asText();
        browser.put(read).json(Map.of("message_id", last)).send().expect(204);
        browser.put(read).json(Map.of("message_id", first)).send().expect(204);
        assertThat(ids("unread=true")).isEmpty();
        assertThat(list("").at("/items/0/unread").asBoolean()).isFalse();

        tenant.send(id, "Hello?").expect(200);
        assertThat(ids("unread=true")).containsExactly(id);
    }

    @Test
    void theConversationWithTheLatestMessageComesFirst() {
        String first = answered("first");
        String second = answered("second");
        String silent = tenant.conversation();
        assertThat(ids("")).containsExactly(silent, second, first);

        tenant.send(first, "again").expect(200);
        assertThat(ids("")).containsExactly(first, silent, second);
        assertThat(ids("q=first")).containsExactly(first);

        JsonNode page = list("limit=2");
        assertThat(ids("limit=2&after=" + page.get("next").asText())).containsExactly(second);
        assertThat(list("limit=3").get("next").isNull()).isTrue();
    }

    @Test
    void aSearchFindsTitlesTextsAndNothingOfOthers() {
        String parcel = answered("Where is my 50%_parcel?");
        String other = answered("Good morning");
        rename(other, Map.of("title", " Breakfast ")).expect(200);

        assertThat(ids("q=PARCEL")).containsExactly(parcel);
        assertThat(ids("q=50%25_p")).containsExactly(parcel);
        assertThat(list("").at("/items/0/match").isNull()).isTrue();
        assertThat(ids("q=5%25p")).isEmpty();
        assertThat(ids("q=breakfast")).containsExactly(other);
        assertThat(list("q=breakfast").at("/items/0/match").isNull()).isTrue();
        assertThat(ids("limit=1")).containsExactly(other);
        assertThat(ids("id=" + parcel.substring(0, 24))).containsExactly(parcel);
        assertThat(ids("id=" + parcel)).containsExactly(parcel);
        assertThat(browser.get(base + "/conversation-summaries?id=parcel")
                        .send()
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/id");
        assertThat(ids("after=" + other)).containsExactly(parcel);
        Tenant stranger = Tenant.create();
        assertThat(stranger.browser()
                        .get("/dashboard/api/organizations/" + stranger.organization()
                                + "/conversation-summaries?q=parcel")
                        .send()
                        .expect(200)
                        .json()
                        .get("items"))
                .isEmpty();
        stranger.browser().get(base + "/conversation-summaries").send().expect(404);
    }

    @Test
    void aSearchShowsTheTextAroundTheMatch() {
        String id = answered("x".repeat(400) + " Invoice A-17 is late. " + "y".repeat(400));
        tenant.send(id, "Thank you").expect(200);

        JsonNode match = list("q=invoice%20a-17").at("/items/0/match");
        assertThat(match.get("text").asText()).contains("Invoice A-17 is late.").hasSizeLessThanOrEqualTo(300);
        assertThat(match.get("type").asText()).isIn("USER_INPUT", "AGENT_RESPONSE");
    }

    @Test
    void mineHasTheConversationsThatTheUserStarted() {
        answered("From the API");
        String started = browser.post(base + "/conversations")
                .json(Map.of())
                .send()
                .expect(201)
                .text("/id");
        assertThat(ids("mine=true")).containsExactly(started);
        assertThat(list("mine=false").get("items")).hasSize(2);
    }

    @Test
    void aMessageThatWaitsForARunDoesNotHideTheRun() {
        WorkflowId workflow = Workflows.of(tenant).ai("slow").publish();
        String id = tenant.post(
                        "/conversations",
                        Map.of(
                                "usecase",
                                "WORKFLOW_EXECUTION",
                                "config",
                                Map.of("workflow_id", workflow.text()),
                                "channel",
                                "API"))
                .expect(201)
                .text("/id");
        tenant.send(id, "offline:wait 5000").expect(200);
        Tenant.eventually(() -> list("").at("/items/0/run_status").asText(), status -> status.equals("RUNNING"));
        tenant.send(id, "And this").expect(200);

        JsonNode item = list("").at("/items/0");
        assertThat(item.at("/last_message/text").asText()).isEqualTo("And this");
        assertThat(item.at("/run_status").asText()).isEqualTo("RUNNING");
        assertThat(ids("run_status=RUNNING")).containsExactly(id);
    }

    @Test
    void aPageOfASearchEndsAfterALimitedNumberOfConversations() {
        String oldest = answered("needle");
        String created = null;
        for (int i = 0; i < ConversationSummaryResource.SEARCHED_CONVERSATIONS; i++) {
            created = tenant.conversation();
        }
        assertThat(created).isNotNull();

        JsonNode page = list("q=needle");
        assertThat(page.get("items")).isEmpty();
        assertThat(ids("q=needle&after=" + page.get("next").asText())).containsExactly(oldest);
    }

    @Test
    void aTitleCanBeChangedAndRemoved() {
        String id = tenant.conversation();

        assertThat(rename(id, Map.of("title", " Invoice 7 ")).expect(200).text("/title"))
                .isEqualTo("Invoice 7");
        assertThat(list("").at("/items/0/title").asText()).isEqualTo("Invoice 7");
        assertThat(tenant.get("/conversations/" + id).text("/title")).isEqualTo("Invoice 7");
        assertThat(browser.patch(base + "/conversations/" + id)
                        .json("{\"title\": null}")
                        .send()
                        .expect(200)
                        .json()
                        .get("title")
                        .isNull())
                .isTrue();
        for (String bad : List.of("", "  ", "a\nb", "x".repeat(201))) {
            assertThat(rename(id, Map.of("title", bad)).expect(400).text("/errors/0/path"))
                    .isEqualTo("/title");
        }
        Tenant.create()
                .browser()
                .patch(base + "/conversations/" + id)
                .json(Map.of("title", "x"))
                .send()
                .expect(404);
        rename("0192f0c1a2b37c4d8e5f60718293a4b5", Map.of("title", "x")).expect(404);
    }

    @ParameterizedTest
    @CsvSource({
        "limit=0,limit",
        "after=x,after",
        "usecase=X,usecase",
        "run_status=DONE,run_status",
        "unread=yes,unread",
        "mine=1,mine",
        "q=,q",
        "team_id=x,team_id",
        "workflow_id=1,workflow_id"
    })
    void aBadParameterIsNamed(String query, String name) {
        assertThat(browser.get(base + "/conversation-summaries?" + query)
                        .send()
                        .expect(400)
                        .text("/errors/0/detail"))
                .startsWith("'" + name + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"message_id\": \"x\"}", "{\"message_id\": null}"})
    void aReadPositionIsAMessage(String body) {
        assertThat(browser.put(base + "/conversations/" + tenant.conversation() + "/read-position")
                        .json(body)
                        .send()
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/message_id");
    }
}
