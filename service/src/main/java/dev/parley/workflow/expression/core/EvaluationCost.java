package dev.parley.workflow.expression.core;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The work that evaluations may do, in units of about a nanosecond. The runtime's functions and listener spend it before
 * they do the work. One thread at a time.
 */
public final class EvaluationCost {
    /** For one evaluation: at most about 100 ms. */
    static final long LIMIT = 100_000_000;

    /** For all evaluations that follow from one event of an instance, with {@link #SHARE}. */
    private static final long TOTAL_LIMIT = 2 * LIMIT;

    /** Of each evaluation, so that many ordinary ones may follow from one event: each reads all items of a list. */
    private static final long SHARE = LIMIT / 5;

    /** A node of the expression that was evaluated. */
    static final int STEP = 100;

    /** A member of a list or object that a function reads. */
    static final int ELEMENT = 20;

    /** An error, which fills in its stack trace; {@code ||}, {@code &&} and macros absorb it and go on. */
    static final int ERROR = 8_000;

    /** A text that becomes a number, a time or a duration, per character. */
    static final int CONVERTED_CHARACTER = 40;

    /** A decimal number that becomes a binary one, per digit. */
    static final int DIGIT = 10;

    /** The cost of the evaluation in progress. */
    static final ScopedValue<EvaluationCost> CURRENT = ScopedValue.newInstance();

    /** Called by a long evaluation that waits for its turn. */
    public static final ScopedValue<TurnListener> TURN_LISTENER = ScopedValue.newInstance();

    private static final long UNITS_OF_A_TURN = 1_000_000;

    /** After a turn, before the next one may begin. */
    private static final long REST_NANOS = 3 * UNITS_OF_A_TURN;

    private static final int TURNS_AT_ONCE = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    /**
     * Compilations and long evaluations take turns on half of the carrier threads, so that the others are free. An
     * evaluation rests after its turn before others take its place, so that long ones use a quarter of these.
     */
    private static final Semaphore TURNS = new Semaphore(TURNS_AT_ONCE, true);

    /** Whose turns they are. */
    private static final ScopedValue<Object> GROUP = ScopedValue.newInstance();

    /** Only so many of a group, by its hash, wait for {@link #TURNS}, so that groups take turns too. */
    private static final List<Semaphore> TURNS_OF_GROUPS = Stream.generate(
                    () -> new Semaphore((TURNS_AT_ONCE + 1) / 2, true))
            .limit(256)
            .toList();

    private long total = TOTAL_LIMIT;
    private long left;
    private long untilTurn = UNITS_OF_A_TURN;
    private boolean hasTurn;

    /** Learns of the times at which an evaluation waits for its turn. */
    public interface TurnListener {
        void waits();

        void goesOn();
    }

    /** An error, because {@code ||}, {@code &&} and macros absorb exceptions. */
    static final class LimitExceeded extends Error {
        private static final long serialVersionUID = 1;

        LimitExceeded() {
            super("The condition takes more work than is allowed.", null, false, false);
        }
    }

    /** Compiles or evaluates for a group, such as an organization, that shares the turns fairly with others. */
    public static <T extends @Nullable Object> T inTurnsOf(Object group, Supplier<T> computation) {
        return ScopedValue.where(GROUP, group).call(computation::get);
    }

    static void takeTurn() {
        turnsOfGroup().acquireUninterruptibly();
        TURNS.acquireUninterruptibly();
    }

    static void endTurn() {
        TURNS.release();
        turnsOfGroup().release();
    }

    private static Semaphore turnsOfGroup() {
        return TURNS_OF_GROUPS.get(Math.floorMod(GROUP.orElse("").hashCode(), TURNS_OF_GROUPS.size()));
    }

    /** Begins another evaluation. */
    void begin() {
        total += SHARE;
        left = Math.min(LIMIT, total);
    }

    void spend(long units) {
        left -= units;
        total -= units;
        if (left < 0) {
            throw new LimitExceeded();
        }
        untilTurn -= units;
        if (untilTurn < 0) {
            TurnListener listener = TURN_LISTENER.isBound() ? TURN_LISTENER.get() : null;
            if (listener != null) {
                listener.waits();
            }
            if (hasTurn) {
                LockSupport.parkNanos(REST_NANOS);
            }
            end();
            takeTurn();
            hasTurn = true;
            if (listener != null) {
                listener.goesOn();
            }
        }
    }

    /** Ends an evaluation, or its turn. */
    void end() {
        untilTurn = UNITS_OF_A_TURN;
        if (hasTurn) {
            hasTurn = false;
            endTurn();
        }
    }

    /** Spends what it costs to read a value with all its members. */
    void spendOn(@Nullable Object value) {
        switch (value) {
            case null -> {
                // Its step is enough.
            }
            case String text -> spend(text.length());
            case List<?> items -> items.forEach(this::spendOnMember);
            case Map<?, ?> members ->
                members.forEach((name, member) -> {
                    spendOnMember(name);
                    spendOnMember(member);
                });
            default -> {
                // Its step is enough.
            }
        }
    }

    private void spendOnMember(@Nullable Object member) {
        spend(ELEMENT);
        spendOn(member);
    }
}
