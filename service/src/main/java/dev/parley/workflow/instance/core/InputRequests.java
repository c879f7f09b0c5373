package dev.parley.workflow.instance.core;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.part.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.TaskInputs;
import dev.parley.workflow.instance.core.event.TicketForm;
import dev.parley.workflow.instance.core.plan.HumanValues;
import dev.parley.workflow.instance.core.state.WaitingReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Asks people for {@code human_input} values that the trigger did not provide. */
final class InputRequests {
    private InputRequests() {}

    /** Makes the task wait and asks for its inputs: in the conversation, or by a ticket if there is no conversation. */
    static void ask(NextState next, int number, List<InputParameter> missing) {
        List<InputParameter> open = open(next);
        next.set(number, next.task(number).waitingFor(WaitingReason.USER_INPUT, next.now()));
        Task task = next.plan().task(number);
        if (!next.hasConversation()) {
            next.emit(ticket(next, number, missing));
            return;
        }
        List<InputParameter> unasked = missing.stream()
                .filter(input -> open.stream().noneMatch(other -> other.name().equals(input.name())))
                .toList();
        if (!unasked.isEmpty()) {
            next.emit(new Effect.AskUser(task.id(), prompt(task, unasked), unasked, List.of()));
        }
    }

    /** Repeats the open question with the violations of the last reply, if any; only the history grows. */
    static void askAgain(NextState next, List<Violation> rejection) {
        List<InputParameter> open = open(next);
        if (open.isEmpty()) {
            return;
        }
        Task task = next.plan().task(waiting(next).getFirst());
        String prompt = prompt(task, open);
        String repeated = rejection.isEmpty() ? prompt : PersonActions.detail(rejection) + "\n\n" + prompt;
        next.emit(new Effect.AskUser(task.id(), repeated, open, rejection));
    }

    /** The inputs that were asked for and not answered, each name once, in document order. */
    static List<InputParameter> open(NextState next) {
        HumanValues values = next.humanValues();
        Map<String, InputParameter> open = new LinkedHashMap<>();
        for (int task : waiting(next)) {
            values.missing(task).forEach(input -> open.putIfAbsent(input.name(), input));
        }
        return List.copyOf(open.values());
    }

    /** The tasks that wait for user input. */
    static List<Integer> waiting(NextState next) {
        if (next.tasks().counts().waiting() == 0) {
            return List.of();
        }
        List<Integer> waiting = new ArrayList<>();
        for (int task = 0; task < next.plan().size(); task++) {
            if (next.task(task).waitingFor() == WaitingReason.USER_INPUT) {
                waiting.add(task);
            }
        }
        return waiting;
    }

    private static String prompt(Task task, List<InputParameter> inputs) {
        InputParameter first = inputs.getFirst();
        if (inputs.size() == 1) {
            return "'" + task.name() + "' needs " + described(first) + "\nPlease reply with the value.";
        }
        return "'" + task.name() + "' needs these values:\n"
                + inputs.stream().map(input -> "- " + described(input)).collect(Collectors.joining("\n"))
                + "\nPlease reply with a JSON object of these names, or with the value of '" + first.name()
                + "' alone.";
    }

    private static String described(InputParameter input) {
        return "'" + input.name() + "' (" + input.type() + "): " + input.description();
    }

    /** Names the inputs, so that the ticket differs from others in lists. */
    private static String needed(List<InputParameter> missing) {
        List<String> names = missing.stream().map(InputParameter::name).toList();
        String last = names.getLast();
        String all = names.size() == 1 ? last : String.join(", ", names.subList(0, names.size() - 1)) + " and " + last;
        return "Needs " + all + " to start.";
    }

    private static Effect.OpenTicket ticket(NextState next, int number, List<InputParameter> missing) {
        Task task = next.plan().task(number);
        return new Effect.OpenTicket(
                task.id(),
                next.task(number).attempt(),
                null,
                RuleType.HUMAN_FEEDBACK,
                next.plan().rules(RuleType.HUMAN_FEEDBACK),
                "Input needed for " + task.name(),
                needed(missing) + "\n\n" + task.instructions(),
                new TicketForm(List.of(), missing),
                new TaskInputs(Map.of(), Map.of()),
                null,
                null);
    }
}
