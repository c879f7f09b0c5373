package dev.parley.workflow.ticket.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.id.UserId;
import dev.parley.workflow.ticket.core.TicketTransition.OperationAccepted;
import dev.parley.workflow.ticket.core.TicketTransition.OperationRejected;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TicketTransitionTest {
    private static final UserId ME = UserId.next();
    private static final UserId OTHER = UserId.next();

    /** All combinations of a ticket's status and claim, the acting person's role, and the step. */
    private static final String TABLE = """
            OPEN,        NOBODY, false, CLAIM,    IN_PROGRESS, ME
            OPEN,        NOBODY, true,  CLAIM,    IN_PROGRESS, ME
            OPEN,        NOBODY, false, TAKE_OVER, IN_PROGRESS, ME
            OPEN,        NOBODY, true,  TAKE_OVER, IN_PROGRESS, ME
            OPEN,        NOBODY, false, RELEASE,  refused,     Nobody has claimed
            OPEN,        NOBODY, true,  RELEASE,  refused,     Nobody has claimed
            OPEN,        NOBODY, false, REASSIGN, OPEN,        NOBODY
            OPEN,        NOBODY, true,  REASSIGN, OPEN,        NOBODY
            OPEN,        NOBODY, false, COMMENT,  OPEN,        NOBODY
            OPEN,        NOBODY, true,  COMMENT,  OPEN,        NOBODY
            OPEN,        NOBODY, false, ANSWER,   OPEN,        NOBODY
            OPEN,        NOBODY, true,  ANSWER,   OPEN,        NOBODY
            IN_PROGRESS, ME,     false, CLAIM,    IN_PROGRESS, ME
            IN_PROGRESS, ME,     true,  CLAIM,    IN_PROGRESS, ME
            IN_PROGRESS, ME,     false, TAKE_OVER, IN_PROGRESS, ME
            IN_PROGRESS, ME,     true,  TAKE_OVER, IN_PROGRESS, ME
            IN_PROGRESS, ME,     false, RELEASE,  OPEN,        NOBODY
            IN_PROGRESS, ME,     true,  RELEASE,  OPEN,        NOBODY
            IN_PROGRESS, ME,     false, REASSIGN, OPEN,        NOBODY
            IN_PROGRESS, ME,     true,  REASSIGN, OPEN,        NOBODY
            IN_PROGRESS, ME,     false, COMMENT,  IN_PROGRESS, ME
            IN_PROGRESS, ME,     true,  COMMENT,  IN_PROGRESS, ME
            IN_PROGRESS, ME,     false, ANSWER,   IN_PROGRESS, ME
            IN_PROGRESS, ME,     true,  ANSWER,   IN_PROGRESS, ME
            IN_PROGRESS, OTHER,  false, CLAIM,    refused,     Another person
            IN_PROGRESS, OTHER,  true,  CLAIM,    refused,     Another person
            IN_PROGRESS, OTHER,  false, TAKE_OVER, refused,     Another person
            IN_PROGRESS, OTHER,  true,  TAKE_OVER, IN_PROGRESS, ME
            IN_PROGRESS, OTHER,  false, RELEASE,  refused,     Another person
            IN_PROGRESS, OTHER,  true,  RELEASE,  OPEN,        NOBODY
            IN_PROGRESS, OTHER,  false, REASSIGN, refused,     Another person
            IN_PROGRESS, OTHER,  true,  REASSIGN, OPEN,        NOBODY
            IN_PROGRESS, OTHER,  false, COMMENT,  IN_PROGRESS, OTHER
            IN_PROGRESS, OTHER,  true,  COMMENT,  IN_PROGRESS, OTHER
            IN_PROGRESS, OTHER,  false, ANSWER,   refused,     Another person
            IN_PROGRESS, OTHER,  true,  ANSWER,   refused,     Another person
            """;

    @ParameterizedTest
    @CsvSource(textBlock = TABLE)
    void aStepOnAnOpenTicketFollowsTheTable(
            TicketStatus status, String claimant, boolean manages, TicketOperation step, String result, String detail) {
        var outcome = TicketTransition.apply(new TicketState(status, user(claimant)), step, ME, manages);

        if (result.equals("refused")) {
            assertThat(outcome)
                    .isInstanceOfSatisfying(OperationRejected.class, rejected -> assertThat(rejected.reason())
                            .startsWith(detail));
        } else {
            assertThat(outcome)
                    .isEqualTo(new OperationAccepted(new TicketState(TicketStatus.valueOf(result), user(detail))));
        }
    }

    @Test
    void theTableHasEveryPairOfAnOpenStatusAndAStep() {
        Set<String> tested = new HashSet<>();
        TABLE.lines()
                .map(line -> line.split(",", -1))
                .forEach(cells -> tested.add(cells[0].strip() + " " + cells[2].strip() + " " + cells[3].strip()));

        Stream<String> all = Arrays.stream(TicketStatus.values())
                .filter(TicketStatus::isOpen)
                .flatMap(status -> Arrays.stream(TicketOperation.values())
                        .flatMap(step -> Stream.of(true, false).map(admin -> status + " " + admin + " " + step)));
        assertThat(tested).containsExactlyInAnyOrderElementsOf(all.toList());
    }

    @ParameterizedTest
    @EnumSource(names = {"RESOLVED", "REJECTED", "CLOSED"})
    void aTicketThatHasEndedAcceptsOnlyComments(TicketStatus status) {
        assertThat(TicketTransition.apply(new TicketState(status, OTHER), TicketOperation.COMMENT, ME, false))
                .isEqualTo(new OperationAccepted(new TicketState(status, OTHER)));
        for (TicketOperation step : EnumSet.complementOf(EnumSet.of(TicketOperation.COMMENT))) {
            for (boolean manages : new boolean[] {true, false}) {
                assertThat(TicketTransition.apply(new TicketState(status, ME), step, ME, manages))
                        .as("%s %s", status, step)
                        .isEqualTo(new OperationRejected("The ticket is no longer open: it is " + status + "."));
            }
        }
        for (TicketEnd end : TicketEnd.values()) {
            assertThat(TicketTransition.end(new TicketState(status, null), end)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "COMPLETED, RESOLVED",
        "RETRIED, RESOLVED",
        "REJECTED, REJECTED",
        "REJECTION_IGNORED, RESOLVED",
        "REPLACED, CLOSED",
        "CANCELLED, CLOSED"
    })
    void theEngineEndsAnOpenTicketRegardlessOfTheClaim(TicketEnd end, TicketStatus status) {
        assertThat(TicketTransition.end(TicketState.OPEN, end)).contains(new TicketState(status, null));
        assertThat(TicketTransition.end(TicketState.claimed(OTHER), end)).contains(new TicketState(status, OTHER));
    }

    private static @Nullable UserId user(String name) {
        return switch (name) {
            case "ME" -> ME;
            case "OTHER" -> OTHER;
            default -> null;
        };
    }
}
