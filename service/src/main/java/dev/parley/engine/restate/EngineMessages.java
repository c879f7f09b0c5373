package dev.parley.engine.restate;

import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.Rejection;
import dev.parley.workflow.instance.core.plan.TriggerData;
import dev.parley.workflow.instance.core.state.InstanceDelta;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.EngineJson;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages between callers, instances and tasks, as JSON in UTF-8. */
final class EngineMessages {
    static final byte[] NOTHING = {};

    private EngineMessages() {}

    /**
     * Starts an instance.
     *
     * @param at the caller's time, because a handler that is repeated must compute the same
     */
    record StartMessage(
            InstanceHeader header,
            TriggerData trigger,
            InstanceEvent first,
            Instant at,
            @Nullable Companion companion) {}

    /** An event of an instance. */
    record EventMessage(
            InstanceEvent event,
            Instant at,
            @Nullable TaskAttempt attempt,
            @Nullable Companion companion) {}

    /**
     * A task to execute, or inputs to fetch.
     *
     * @param version of the instance in which it is to be executed
     */
    record TaskMessage(InstanceKey instance, int version, Effect effect) {}

    /**
     * A change as an object stores it.
     *
     * @param event the name of the event, for the history
     * @param delta as JSON
     * @param attempt that ended with the change, while PostgreSQL does not have it; null for none
     */
    record ChangeRecord(
            String event,
            String actor,
            String delta,
            @Nullable TaskAttempt attempt) {}

    /**
     * A node's request for a state.
     *
     * @param version of the state; a later one for the latest
     * @param known a version that the node has; 0 for none
     */
    record FindMessage(int version, int known) {}

    /**
     * A state in parts.
     *
     * @param head of the latest version
     * @param state a complete state; null if the changes follow the known version
     * @param changes up to the requested version
     * @param isOutdated whether handlers replaced parts while they were read, so that the request must be repeated
     */
    record FoundState(StateHead head, @Nullable String state, List<ChangeRecord> changes, boolean isOutdated) {
        FoundState {
            changes = List.copyOf(changes);
        }
    }

    /** The result of an event. */
    enum ReplyKind {
        DECIDED,
        REJECTED,
        /** The change was not stored because of its companion. */
        FAILED,
        /** The object has no such instance. */
        UNKNOWN
    }

    /**
     * A handler's reply to a caller.
     *
     * @param state after the event, without the plan; null unless decided
     * @param delta null unless decided
     */
    record ChangeReply(
            ReplyKind kind,
            @Nullable String state,
            @Nullable InstanceDelta delta,
            @Nullable Rejection rejection,
            @Nullable ProblemMessage problem) {
        static ChangeReply decided(String state, InstanceDelta delta) {
            return new ChangeReply(ReplyKind.DECIDED, state, delta, null, null);
        }

        static ChangeReply rejected(Rejection rejection) {
            return new ChangeReply(ReplyKind.REJECTED, null, null, rejection, null);
        }

        static ChangeReply failed(ProblemMessage problem) {
            return new ChangeReply(ReplyKind.FAILED, null, null, null, problem);
        }

        static ChangeReply unknown() {
            return new ChangeReply(ReplyKind.UNKNOWN, null, null, null, null);
        }
    }

    /** A problem that a companion raised. */
    record ProblemMessage(
            ProblemKind kind, String detail, @Nullable Duration retryAfter) {
        static ProblemMessage of(ApiProblem problem) {
            return new ProblemMessage(
                    problem.kind(), problem.detail(), problem.retryAfter().orElse(null));
        }

        ApiProblem problem() {
            Duration wait = retryAfter == null ? Duration.ofSeconds(1) : retryAfter;
            return switch (kind) {
                case REQUEST_IN_PROGRESS -> ApiProblem.inProgress(detail, wait);
                case UNAVAILABLE -> ApiProblem.unavailable(detail, wait);
                case TOO_MANY_REQUESTS -> ApiProblem.tooMany(detail, wait);
                default -> ApiProblem.of(kind, detail);
            };
        }
    }

    static <T> byte[] write(Class<T> type, T message) {
        return EngineJson.write(type, message);
    }

    static <T> T read(Class<T> type, byte[] message) {
        return EngineJson.read(type, message);
    }

    static String text(byte[] message) {
        return new String(message, StandardCharsets.UTF_8);
    }

    static byte[] bytes(String message) {
        return message.getBytes(StandardCharsets.UTF_8);
    }
}
