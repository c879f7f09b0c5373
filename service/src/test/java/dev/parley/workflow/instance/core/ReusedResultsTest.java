package dev.parley.workflow.instance.core;

import static dev.parley.workflow.instance.core.WorkflowBuilder.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.plan.TriggerData;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.ReusedResults;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReusedResultsTest {
    private static final TriggerData TRIGGER = InstanceSimulation.trigger(null, Map.of(), null);

    private static WorkflowBuilder diamond() {
        return new WorkflowBuilder()
                .ai("d")
                .ai("a")
                .ai("b")
                .ai("c")
                .after("a", "b")
                .after("a", "c")
                .after("b", "d")
                .after("c", "d");
    }

    private static InstanceState failedInD() {
        return InstanceSimulation.of(diamond())
                .succeed("a")
                .succeed("b")
                .succeed("c")
                .fail("d", InstanceSimulation.BROKEN)
                .state();
    }

    @Test
    void resultsBeforeTheTaskAreReused() {
        ExecutionPlan plan = diamond().plan();
        assertThat(ReusedResults.of(failedInD(), plan, id("d"))).containsOnlyKeys(id("a"), id("b"), id("c"));
        assertThat(ReusedResults.of(failedInD(), plan, id("b"))).containsOnlyKeys(id("a"), id("c"));
        assertThat(ReusedResults.of(failedInD(), plan, id("a"))).isEmpty();
    }

    @Test
    void aTaskThatChangedAndItsSuccessorsRunAgain() {
        ExecutionPlan changed = new WorkflowBuilder()
                .human("a")
                .ai("b", null, List.of(WorkflowBuilder.output("other", OutputType.STRING)))
                .ai("c")
                .ai("d")
                .after("b", "d")
                .plan();
        assertThat(ReusedResults.of(failedInD(), changed, id("d"))).containsOnlyKeys(id("c"));
    }

    @Test
    void anInstanceThatReusesResultsStartsTheRest() {
        ExecutionPlan plan = diamond().plan();
        InstanceSimulation run = InstanceSimulation.created(plan, TRIGGER)
                .apply(new InstanceEvent.InstanceStarted(ReusedResults.of(failedInD(), plan, id("b"))));
        assertThat(run.started()).containsExactly("b");
        assertThat(run.task("a").attempt()).isZero();
        assertThat(run.succeed("b").started()).containsExactly("d");
        assertThat(run.succeed("d").status()).isEqualTo(InstanceStatus.COMPLETED);
    }

    @Test
    void aResultThatIsReusedTwiceNamesTheInstanceInWhichTheTaskRan() {
        ExecutionPlan plan = diamond().plan();
        InstanceState first = failedInD();
        var trigger = new TriggerData(null, List.of(), Map.of(), null, "second", "o1", first.createdAt());
        InstanceState second = InstanceSimulation.created(plan, trigger)
                .apply(new InstanceEvent.InstanceStarted(ReusedResults.of(first, plan, id("b"))))
                .succeed("b")
                .state();
        assertThat(second.task(id("a")).reusedFrom()).isEqualTo(first.trigger().instanceId());
        assertThat(second.task(id("b")).reusedFrom()).isNull();
        assertThat(ReusedResults.of(second, plan, id("d")))
                .hasEntrySatisfying(id("a"), result -> assertThat(result.instance())
                        .isEqualTo(first.trigger().instanceId()))
                .hasEntrySatisfying(
                        id("b"), result -> assertThat(result.instance()).isEqualTo("second"));
    }
}
