package dev.parley.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.budget.core.BudgetExceededException;
import dev.parley.budget.core.BudgetOwner;
import dev.parley.budget.core.CallEstimate;
import dev.parley.budget.usage.ModelUsageCounters;
import dev.parley.db.Database;
import dev.parley.id.WorkflowId;
import dev.parley.llm.ChatReply;
import dev.parley.node.NodeLease;
import dev.parley.node.TestNodes;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reservations and settlements of two nodes with one database. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class BudgetLimiterTest {
    private static final int CALLS = 64;

    private final Database database = Tenant.bean(Database.class);
    private final Tenant tenant = Tenant.create();
    private final WorkflowId workflow = WorkflowId.next();
    private final BudgetOwner owner = new BudgetOwner(tenant.organization(), workflow, tenant.keyId());
    private final NodeLease otherNode = TestNodes.start(database);
    private final List<BudgetLimiter> nodes = List.of(Tenant.bean(BudgetLimiter.class), other());

    private BudgetLimiter other() {
        return new BudgetLimiter(
                database,
                Tenant.bean(BudgetAlerts.class),
                Tenant.bean(ModelUsageCounters.class),
                otherNode,
                Clock.systemUTC());
    }

    @AfterEach
    void close() {
        otherNode.close();
    }

    private int budget(String scope, String scopeId, String unit, long limit) {
        Map<String, Object> body = new HashMap<>(Map.of("scope", scope, "period", "DAY", "unit", unit, "limit", limit));
        if (!scopeId.isEmpty()) {
            body.put("scope_id", scopeId);
        }
        int id = tenant.browser()
                .post(path())
                .json(body)
                .send()
                .expect(201)
                .json()
                .at("/id")
                .asInt();
        nodes.forEach(node -> node.invalidate(tenant.organization()));
        return id;
    }

    private String path() {
        return "/dashboard/api/organizations/" + tenant.organization() + "/budgets";
    }

    private JsonNode read(int id) {
        return tenant.browser().get(path() + "/" + id).send().expect(200).json();
    }

    private static ChatReply reply(long input, long output, long cost) {
        return new ChatReply("Yes.", input, output, "m", ChatReply.ReplyFinish.STOP).of("default", cost);
    }

    /** Runs the calls on both nodes at once; returns how many were made. */
    private int callAtOnce(CallEstimate estimate, java.util.function.IntFunction<ChatReply> reply) throws Exception {
        var made = new AtomicInteger();
        List<Future<?>> calls = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CALLS; i++) {
                int number = i;
                calls.add(threads.submit(() -> {
                    try {
                        var _ = nodes.get(number % 2)
                                .metered(owner, "default", () -> estimate, () -> reply.apply(number));
                        return made.incrementAndGet();
                    } catch (BudgetExceededException _) {
                        return 0;
                    }
                }));
            }
        }
        for (Future<?> call : calls) {
            try {
                call.get();
            } catch (ExecutionException e) {
                throw new AssertionError(e);
            }
        }
        return made.get();
    }

    @Test
    void parallelCallsOfTwoNodesSettleExactlyInAllBudgets() throws Exception {
        int cost = budget("ORGANIZATION", "", "COST", 1_000_000);
        int tokens = budget("API_KEY", tenant.keyId().text(), "TOKENS", 1_000_000);

        int made = callAtOnce(new CallEstimate(400, 5_000), number -> reply(100 + number, number, 1_001 + number));

        int sum = CALLS * (CALLS - 1) / 2;
        assertThat(made).isEqualTo(CALLS);
        assertThat(read(cost).at("/used").asLong()).isEqualTo(CALLS * 1_001L + sum);
        assertThat(read(tokens).at("/used").asLong()).isEqualTo(CALLS * 100L + 2L * sum);
        assertThat(read(cost).at("/reserved").asLong()).isZero();
        assertThat(read(tokens).at("/reserved").asLong()).isZero();
        assertThat(read(cost).at("/state").asText()).isEqualTo("OK");
    }

    @Test
    void aLimitIsNeverPassedAndIsAnnouncedOnce() throws Exception {
        mayReceiveMail();
        String endpoint = tenant.browser()
                .post("/dashboard/api/organizations/" + tenant.organization() + "/webhook-endpoints")
                .json(Map.of(
                        "url", "http://127.0.0.1:9/hooks", "event_types", List.of("budget.warned", "budget.exceeded")))
                .send()
                .expect(201)
                .text("/id");
        int id = budget("ORGANIZATION", "", "COST", 20_500);

        int made = callAtOnce(new CallEstimate(10, 1_000), _ -> reply(5, 5, 1_000));
        while (made < 20) { // Reservations in flight may have refused calls that would fit now.
            nodes.get(made % 2).metered(owner, "default", () -> new CallEstimate(10, 1_000), () -> reply(5, 5, 1_000));
            made++;
        }
        BudgetExceededException refused = catchThrowableOfType(BudgetExceededException.class, () -> nodes.get(1)
                .metered(owner, "default", () -> new CallEstimate(10, 1_000), () -> reply(5, 5, 1_000)));

        assertThat(made).isEqualTo(20);
        assertThat(refused.detail()).contains("0.0205", "0.02 ", "0.001 ");
        assertThat(read(id).at("/used").asLong()).isEqualTo(20_000);
        assertThat(read(id).at("/reserved").asLong()).isZero();
        assertThat(read(id).at("/state").asText()).isEqualTo("BLOCKED");
        assertThat(events()).containsExactlyInAnyOrder("budget.warned", "budget.exceeded");
        assertThat(mails()).hasSize(2);
        assertThat(tenant.browser()
                        .get("/dashboard/api/organizations/" + tenant.organization() + "/webhook-deliveries?endpoint="
                                + endpoint)
                        .send()
                        .expect(200)
                        .json()
                        .at("/items"))
                .hasSize(2);
    }

    private void mayReceiveMail() {
        database.change(handle -> handle.execute(
                "UPDATE app_user SET password_hash = 'x' WHERE id = ?",
                tenant.owner().value()));
    }

    private List<String> events() {
        return database.with(
                handle -> handle.select("SELECT type FROM event WHERE organization_id = ?", tenant.organization())
                        .mapTo(String.class)
                        .list());
    }

    private List<String> mails() {
        return database.with(handle -> handle.select(
                        "SELECT subject FROM mail WHERE organization_id = ? AND kind = 'BUDGET'", tenant.organization())
                .mapTo(String.class)
                .list());
    }

    @Test
    void aRaisedLimitWarnsAgain() throws Exception {
        mayReceiveMail();
        int id = budget("WORKFLOW", workflow(), "TOKENS", 100);
        BudgetOwner ofWorkflow = new BudgetOwner(
                tenant.organization(),
                WorkflowId.parse(read(id).at("/scope_id").asText()).orElseThrow(),
                null);
        nodes.get(0).metered(ofWorkflow, "default", () -> new CallEstimate(90, 0), () -> reply(80, 5, 0));
        assertThat(read(id).at("/state").asText()).isEqualTo("WARNED");
        tenant.browser()
                .patch(path() + "/" + id)
                .json(Map.of("limit", 1_000))
                .send()
                .expect(200);
        assertThat(read(id).at("/state").asText()).isEqualTo("OK");
        nodes.get(1).metered(ofWorkflow, "default", () -> new CallEstimate(900, 0), () -> reply(800, 0, 0));
        assertThat(read(id).at("/used").asLong()).isEqualTo(885);
        assertThat(mails()).hasSize(2);
    }

    private String workflow() {
        return dev.parley.workflow.instance.Workflows.of(tenant)
                .task(
                        "answer",
                        Map.of(
                                "input_parameters",
                                List.of(),
                                "kind",
                                "AI",
                                "expected_output",
                                List.of(Map.of("name", "a", "type", "STRING", "description", "a"))))
                .publish()
                .text();
    }

    @Test
    void reservationsOfAKilledNodeAreReleasedAndSettleOnceIfItLivesOn() throws Exception {
        int id = budget("ORGANIZATION", "", "TOKENS", 1_000);
        var interrupted = new BudgetOwner(tenant.organization(), null, null);
        var during = new ArrayList<Long>();
        nodes.get(1).metered(interrupted, "default", () -> new CallEstimate(700, 0), () -> {
            during.add(read(id).at("/reserved").asLong());
            TestNodes.takeOver(database, otherNode, Tenant.bean(NodeLease.class));
            during.add(Tenant.eventually(() -> read(id).at("/reserved").asLong(), reserved -> reserved == 0));
            return reply(600, 50, 0);
        });
        assertThat(during).containsExactly(700L, 0L);
        assertThat(read(id).at("/used").asLong()).isEqualTo(650);
        assertThat(read(id).at("/reserved").asLong()).isZero();
    }

    @Test
    void aFailedCallReleasesWhatItReserved() {
        int id = budget("ORGANIZATION", "", "TOKENS", 1_000);
        var _ = catchThrowableOfType(IllegalStateException.class, () -> nodes.get(0)
                .metered(owner, "default", () -> new CallEstimate(700, 0), () -> {
                    throw new IllegalStateException("broken");
                }));
        assertThat(read(id).at("/used").asLong()).isZero();
        assertThat(read(id).at("/reserved").asLong()).isZero();
    }

    @Test
    void anInterruptedCallCountsWhatHasArrived() {
        int id = budget("ORGANIZATION", "", "TOKENS", 1_000);
        var stopped = new BudgetLimiter.MeteredCall() {
            @Override
            public ChatReply reply() throws InterruptedException {
                throw new InterruptedException();
            }

            @Override
            public ChatReply interrupted() {
                return BudgetLimiterTest.reply(300, 20, 0);
            }
        };
        var _ = catchThrowableOfType(InterruptedException.class, () -> nodes.get(0)
                .metered(owner, "default", () -> new CallEstimate(700, 0), stopped));
        assertThat(read(id).at("/used").asLong()).isEqualTo(320);
        assertThat(read(id).at("/reserved").asLong()).isZero();
    }

    @Test
    void theFirstCallOfAPeriodDeletesOldPeriods() throws Exception {
        int id = budget("ORGANIZATION", "", "TOKENS", 1_000);
        database.change(handle -> handle.execute(
                "INSERT INTO budget_period (organization_id, budget_id, starts_at)"
                        + " VALUES (?, ?, now() - interval '32 days'), (?, ?, now() - interval '70 days')",
                tenant.organization().value(),
                id,
                tenant.organization().value(),
                id));
        nodes.get(0).metered(owner, "default", () -> new CallEstimate(10, 0), () -> reply(3, 4, 0));
        List<Integer> periods = database.with(handle -> handle.select(
                        "SELECT count(*) FROM budget_period WHERE organization_id = ?", tenant.organization())
                .mapTo(Integer.class)
                .list());
        assertThat(periods).containsExactly(2);
        assertThat(read(id).at("/used").asLong()).isEqualTo(7);
    }

    @Test
    void theBudgetOfAKeyCoversTheKeyThatReplacesIt() throws Exception {
        int id = budget("API_KEY", tenant.keyId().text(), "TOKENS", 1_000);
        String rolled = tenant.browser()
                .post("/dashboard/api/organizations/" + tenant.organization() + "/api-keys/" + tenant.keyId() + "/roll")
                .json(Map.of("overlap_minutes", 0))
                .send()
                .expect(201)
                .text("/id");
        nodes.get(0).invalidate(tenant.organization());
        var newKey = new BudgetOwner(
                tenant.organization(),
                null,
                dev.parley.id.ApiKeyId.parse(rolled).orElseThrow());
        nodes.get(0).metered(newKey, "default", () -> new CallEstimate(10, 0), () -> reply(3, 4, 0));
        assertThat(read(id).at("/used").asLong()).isEqualTo(7);
        List<UUID> left = database.with(handle -> handle.select(
                        "SELECT id FROM budget_reservation WHERE organization_id = ?", tenant.organization())
                .mapTo(UUID.class)
                .list());
        assertThat(left).isEmpty();
    }
}
