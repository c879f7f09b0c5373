package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.engine.restate.TestRestate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The short form of {@code ./parley chaos}. It needs the built service, so it runs after packaging. */
@Tag("chaos")
class ChaosTest {
    @Test
    @SuppressWarnings("SystemOut") // The build's report shows the table.
    void acknowledgedDataSurvivesKilledAndSuspendedNodes() throws Exception {
        Reconciliation books = new Chaos(ChaosOptions.shortForm(System.nanoTime() & 0xFFFFFF), System.out).run();
        assertThat(books.violations().values()).allMatch(java.util.List::isEmpty);
    }

    @Test
    @Tag("all")
    @SuppressWarnings("SystemOut")
    void agentsPayForNoCallTwice() throws Exception {
        ChaosOptions options = ChaosOptions.shortForm(System.nanoTime() & 0xFFFFFF);
        assertThat(new AgentChaos(options, System.out).run()).isEmpty();
    }

    @Test
    @Tag("all")
    @SuppressWarnings("SystemOut")
    void acknowledgedDataSurvivesAKilledEmbeddedPostgres() throws Exception {
        Reconciliation books = new Chaos(ChaosOptions.shortEmbedded(System.nanoTime() & 0xFFFFFF), System.out).run();
        assertThat(books.violations().values()).allMatch(java.util.List::isEmpty);
    }

    @Test
    @Tag("all")
    @SuppressWarnings("SystemOut")
    void acknowledgedDataSurvivesKilledServersOfRestate() throws Exception {
        var _ = TestRestate.installed();
        Reconciliation books = new Chaos(ChaosOptions.shortRestate(System.nanoTime() & 0xFFFFFF), System.out).run();
        assertThat(books.violations().values()).allMatch(java.util.List::isEmpty);
    }
}
