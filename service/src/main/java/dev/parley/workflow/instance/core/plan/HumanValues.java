package dev.parley.workflow.instance.core.plan;

import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The values of {@code human_input} parameters. Sources in order: a later answer, the trigger's {@code inputs}, then
 * its {@code human_msg} when exactly one STRING has no value.
 */
public final class HumanValues {
    private final ExecutionPlan plan;
    private final TriggerData trigger;
    private final Map<String, @Nullable Object> answers;
    private @Nullable String messageTarget;
    private boolean isMessageTargetKnown;

    public HumanValues(ExecutionPlan plan, TriggerData trigger, Map<String, @Nullable Object> answers) {
        this.plan = plan;
        this.trigger = trigger;
        this.answers = answers;
    }

    ExecutionPlan plan() {
        return plan;
    }

    public Map<String, @Nullable Object> answers() {
        return answers;
    }

    /** The value by the input's name; null if there is none yet. */
    public @Nullable Object get(String name) {
        Object answer = answers.get(name);
        if (answer != null) {
            return answer;
        }
        Object given = trigger.inputs().get(name);
        if (given != null) {
            return given;
        }
        if (!isMessageTargetKnown) {
            messageTarget = findMessageTarget();
            isMessageTargetKnown = true;
        }
        return name.equals(messageTarget) ? trigger.humanMessage() : null;
    }

    /** The task's required inputs that have no value yet. */
    public List<InputParameter> missing(int task) {
        List<InputParameter> missing = new ArrayList<>();
        for (InputParameter input : plan.task(task).inputParameters()) {
            if (input.required() && plan.asksPeople(task, input) && get(input.name()) == null) {
                missing.add(input);
            }
        }
        return missing;
    }

    /**
     * The input that {@code human_msg} fills: the only required one without a value, or else the only one without a
     * value.
     */
    private @Nullable String findMessageTarget() {
        String message = trigger.humanMessage();
        if (message == null || message.isBlank()) {
            return null;
        }
        List<String> unfilled = unfilled(inputs -> inputs.stream().anyMatch(InputParameter::required));
        if (unfilled.isEmpty()) {
            unfilled = unfilled(_ -> true);
        }
        if (unfilled.size() != 1) {
            return null;
        }
        String name = unfilled.getFirst();
        boolean text = plan.humanInputs().getOrDefault(name, List.of()).stream()
                .allMatch(input -> input.type() == ValueType.STRING);
        return text ? name : null;
    }

    private List<String> unfilled(Predicate<List<InputParameter>> wanted) {
        return plan.humanInputs().entrySet().stream()
                .filter(input -> wanted.test(input.getValue()))
                .map(Map.Entry::getKey)
                .filter(name -> trigger.inputs().get(name) == null)
                .toList();
    }
}
