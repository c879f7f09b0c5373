package dev.parley.workflow.instance.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.datalake.core.RowFilter;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StoredNamesTest {
    /** Names of stored rows and of the public history. Add new ones; never change or remove one. */
    private static final String FROZEN = """
            InstanceStarted TimeLimitReached WaitEnded SubWorkflowEnded Recovered TaskSucceeded
            TaskFailed TaskSuspended ApprovalRequested InputsFetched RetryDue UserReplied
            TicketCompleted TicketRejected ExceptionRetry ExceptionSupplied ExceptionRaised EventReceived
            PauseRequested ResumeRequested RetryRequested CancelRequested Terminated
            StartTask FetchInputs ScheduleRetry StopTask OpenTicket CloseTicket
            AskUser StatusChanged InstanceFinished
            DeliverMessage ClaimIdempotencyKey StoreMessage
            All Any Not Compare
            """;

    @Test
    void namesThatWereStoredStay() {
        assertThat(StoredNames.NAMES.values())
                .containsExactlyInAnyOrder(FROZEN.strip().split("\\s+"));
    }

    @Test
    void everyStoredTypeHasAName() {
        assertThat(Stream.of(InstanceEvent.class, Effect.class, Companion.class, RowFilter.class)
                        .flatMap(StoredNamesTest::records)
                        .toList())
                .containsExactlyInAnyOrderElementsOf(List.copyOf(StoredNames.NAMES.keySet()));
    }

    private static Stream<Class<?>> records(Class<?> type) {
        return type.isSealed()
                ? Stream.of(type.getPermittedSubclasses()).flatMap(StoredNamesTest::records)
                : Stream.of(type);
    }
}
