package dev.parley.budget;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.parley.budget.BudgetStore.BudgetWait;
import dev.parley.budget.BudgetStore.LockedPeriod;
import dev.parley.budget.BudgetStore.MatchableBudget;
import dev.parley.budget.BudgetStore.PeriodAmount;
import dev.parley.budget.BudgetStore.PeriodAmounts;
import dev.parley.budget.BudgetStore.PeriodBounds;
import dev.parley.budget.core.BudgetExceededException;
import dev.parley.budget.core.BudgetOwner;
import dev.parley.budget.core.CallEstimate;
import dev.parley.budget.usage.ModelUsageCounters;
import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatReply;
import dev.parley.node.NodeLease;
import dev.parley.node.Ticker;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls of models within the budgets of their owners: reserves the estimate in all budgets that match, and settles
 * it with what the call used. Organizations without budgets cost one cached lookup.
 */
@Singleton
public final class BudgetLimiter {
    private static final Logger LOG = Logger.getLogger(BudgetLimiter.class);

    /** How long a change of another node may remain unknown. */
    private static final Duration CACHE_TIME = Duration.ofSeconds(2);

    private static final int MAX_CACHED = 10_000;

    private final Database database;
    private final BudgetStore store;
    private final BudgetAlerts alerts;
    private final ModelUsageCounters usage;
    private final NodeLease node;
    private final Clock clock;
    private final LoadingCache<OrganizationId, List<MatchableBudget>> matchable;
    private final Queue<Settlement> unsettled = new ConcurrentLinkedQueue<>();
    private final Ticker timer = new Ticker("budgets");

    BudgetLimiter(Database database, BudgetAlerts alerts, ModelUsageCounters usage, NodeLease node, Clock clock) {
        this.database = database;
        this.store = database.statements(BudgetStore.class);
        this.alerts = alerts;
        this.usage = usage;
        this.node = node;
        this.clock = clock;
        this.matchable = Caffeine.newBuilder()
                .maximumSize(MAX_CACHED)
                .expireAfterWrite(CACHE_TIME)
                .build(store::matchable);
    }

    /** A call of a model, whose reply is priced. */
    @FunctionalInterface
    public interface MeteredCall {
        ChatReply reply() throws ChatModelException, InterruptedException;

        /** The estimated use of a call that was interrupted; null for none. */
        default @Nullable ChatReply interrupted() {
            return null;
        }
    }

    /** The use of a call with a reservation. */
    private record Settlement(OrganizationId organization, UUID reservation, long tokens, long costMicros) {}

    void start(@Observes @Priority(30) StartupEvent event) {
        timer.every(CACHE_TIME, this::settleAgain);
    }

    void stop(@Observes @Priority(200) ShutdownEvent event) {
        timer.close();
        settleAgain();
    }

    /**
     * Calls the model if all matching budgets allow the estimate, and counts what it used, also of a failure.
     *
     * @param model the name under which the use is counted
     * @param estimate called only if a budget matches
     */
    public ChatReply metered(BudgetOwner owner, String model, Supplier<CallEstimate> estimate, MeteredCall call)
            throws ChatModelException, BudgetExceededException, InterruptedException {
        List<MatchableBudget> budgets = matching(owner);
        UUID reservation = budgets.isEmpty() ? null : reserve(owner.organization(), budgets, estimate.get());
        ChatReply used = null;
        try {
            used = call.reply();
            return used;
        } catch (ChatModelException e) {
            used = e.answered().orElse(null);
            throw e;
        } catch (InterruptedException e) { // The endpoint counts what it wrote for a client that left.
            used = call.interrupted();
            throw e;
        } finally {
            if (used != null) {
                usage.add(owner, model, used);
            }
            if (reservation != null) {
                long tokens = used == null ? 0 : used.promptTokens() + used.completionTokens();
                long cost = used == null ? 0 : used.costMicros();
                settle(new Settlement(owner.organization(), reservation, tokens, cost));
            }
        }
    }

    private UUID reserve(OrganizationId organization, List<MatchableBudget> budgets, CallEstimate estimate)
            throws BudgetExceededException {
        Instant now = clock.instant();
        UUID id = UuidV7.next();
        var wanted = new PeriodAmounts(budgets.stream()
                .map(budget -> new PeriodAmount(
                        budget.id(), budget.period().start(now), budget.unit().of(estimate)))
                .toList());
        List<LockedPeriod> locked;
        try {
            locked = store.reserve(organization, id, node.id(), wanted, now);
            while (locked.size() < wanted.all().size()) {
                Set<Integer> existing = store.insertPeriods(organization, wanted);
                wanted = new PeriodAmounts(wanted.all().stream()
                        .filter(amount -> existing.contains(amount.budget()))
                        .toList());
                locked = store.reserve(organization, id, node.id(), wanted, now);
            }
        } catch (RuntimeException e) {
            unsettled.add(new Settlement(organization, id, 0, 0)); // The database may have committed it.
            throw e;
        }
        Optional<LockedPeriod> exceeded =
                locked.stream().filter(LockedPeriod::isExceeded).findFirst();
        if (exceeded.isPresent()) {
            throw refused(organization, exceeded.get(), estimate, now);
        }
        return id;
    }

    private BudgetExceededException refused(
            OrganizationId organization, LockedPeriod period, CallEstimate estimate, Instant now) {
        Long before = period.refused();
        if (before == null || before > period.amount()) {
            database.change(handle -> {
                boolean isFirst = store.refuse(organization, period.budgetId(), period.startsAt(), period.amount())
                        .orElse(false);
                if (isFirst) {
                    alerts.exceeded(handle, organization, period.budgetId(), now);
                }
            });
        }
        Budget budget = store.find(organization, period.budgetId(), PeriodBounds.of(now))
                .orElse(null);
        return new BudgetExceededException(
                budget == null ? "A budget does not allow the call." : alerts.refusal(budget, period),
                estimate,
                budget == null ? now : budget.resetsAt());
    }

    private void settle(Settlement settlement) {
        try {
            database.change(handle -> store.settle(
                            settlement.organization, settlement.reservation, settlement.tokens, settlement.costMicros)
                    .forEach(budget -> alerts.warned(handle, settlement.organization, budget, clock.instant())));
        } catch (RuntimeException e) {
            LOG.debugf("A call is settled later: %s", e.getMessage());
            unsettled.add(settlement);
        }
    }

    private void settleAgain() {
        for (int i = unsettled.size(); i > 0; i--) {
            Settlement settlement = unsettled.poll();
            if (settlement != null) {
                settle(settlement);
            }
        }
    }

    private List<MatchableBudget> matching(BudgetOwner owner) {
        return matchable.get(owner.organization()).stream()
                .filter(budget -> budget.scope().matches(budget.scopeIds(), owner))
                .toList();
    }

    /** Called after a change of the organization's budgets on this node. */
    void invalidate(OrganizationId organization) {
        matchable.invalidate(organization);
    }

    /** Remembers an attempt of a task that a budget has stopped, until {@link #resume} can continue it. */
    public void await(BudgetOwner owner, WorkflowInstanceId instance, String task, int attempt, CallEstimate estimate) {
        if (owner.workflow() != null) {
            store.insertWait(new BudgetWait(
                    owner.organization(),
                    instance,
                    task,
                    attempt,
                    owner.workflow(),
                    owner.apiKey(),
                    estimate.tokens(),
                    estimate.costMicros(),
                    clock.instant()));
        }
    }

    /** A task that may call its model again. */
    public record ResumableTask(
            OrganizationId organization, WorkflowInstanceId instance, String task, int attempt, Instant since) {}

    /**
     * Offers the tasks that wait and whose next calls the budgets allow, oldest first and not more than fit.
     *
     * @param resumed continues a task; true if the task need not wait any longer
     */
    public void resume(Predicate<ResumableTask> resumed) {
        for (OrganizationId organization : store.organizationsWaiting()) {
            invalidate(organization);
            store.deleteEndedWaits(organization);
            Map<Integer, Long> left = new HashMap<>();
            store.list(organization, PeriodBounds.of(clock.instant()), 0, BudgetStore.MAX_PER_ORGANIZATION)
                    .forEach(budget -> left.put(budget.id(), budget.limit() - budget.used() - budget.reserved()));
            for (BudgetWait wait : store.waits(organization)) {
                if (fits(wait, left)
                        && resumed.test(new ResumableTask(
                                organization, wait.workflowInstanceId(), wait.taskId(), wait.attempt(), wait.at()))) {
                    store.deleteWait(wait);
                }
            }
        }
    }

    /** Takes the estimate from what is left, if it fits. */
    private boolean fits(BudgetWait wait, Map<Integer, Long> left) {
        var estimate = new CallEstimate(wait.tokens(), wait.costMicros());
        List<PeriodAmount> wanted = new ArrayList<>();
        for (MatchableBudget budget :
                matching(new BudgetOwner(wait.organizationId(), wait.workflowId(), wait.apiKeyId()))) {
            Long room = left.get(budget.id());
            long amount = budget.unit().of(estimate);
            if (room != null && amount > room) {
                return false;
            }
            wanted.add(new PeriodAmount(budget.id(), Instant.EPOCH, amount));
        }
        wanted.forEach(amount -> left.computeIfPresent(amount.budget(), (_, room) -> room - amount.amount()));
        return true;
    }
}
