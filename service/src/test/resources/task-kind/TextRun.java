package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.KnownReferences;
import dev.parley.workflow.definition.core.check.DefinitionValidator;
import dev.parley.workflow.definition.core.check.ValidationResult;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.plan.TriggerData;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.task.TaskRun;
import dev.parley.workflow.task.TextExecutor;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Runs a workflow of one Text task. The argument is the document; the result has its violations or its output. */
public final class TextRun implements UnaryOperator<Map<String, Object>> {
    private static final Instant NOW = Instant.parse("2026-01-31T09:30:00Z");

    @Override
    public Map<String, Object> apply(Map<String, Object> document) {
        KnownReferences team = new KnownReferences(Set.of(), Set.of(3), Map.of(), Map.of(), Map.of());
        ValidationResult validation = DefinitionValidator.validate(document, team);
        if (!validation.valid()) {
            return Map.of("violations", validation.errors().toString());
        }
        ExecutionPlan plan = ExecutionPlan.of(validation.required());
        TriggerData trigger = new TriggerData(null, List.of(), Map.of(), null, "i1", "o1", NOW);
        InstanceState created = InstanceState.create(plan, trigger, NOW);
        Decision started = (Decision) Transition.apply(created, new InstanceEvent.InstanceStarted(), NOW);
        Effect.StartTask start = started.effects().stream()
                .filter(Effect.StartTask.class::isInstance)
                .map(Effect.StartTask.class::cast)
                .findFirst()
                .orElseThrow();
        TaskRun run = new TaskRun(
                null, null, 1, null, null, plan.task(start.task()), 1, Map.of(), Set.of(), List.of(), Map.of(), "key", null, null,
                null, null, null);
        Map<String, Object> outputs = new TextExecutor().run(run).outputs();
        Decision ended = (Decision) Transition.apply(
                started.state(), new InstanceEvent.TaskSucceeded(start.task(), start.attempt(), outputs), NOW);
        return Map.of("status", ended.state().status().name(), "outputs", outputs);
    }
}
