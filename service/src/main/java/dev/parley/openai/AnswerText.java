package dev.parley.openai;

import dev.parley.event.delta.LiveTexts;
import dev.parley.event.delta.TaskTextReader;
import dev.parley.event.delta.TextSource;
import dev.parley.message.StorableText;
import dev.parley.openai.WorkflowAnswers.WorkflowRun;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.TaskKind;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Sends a workflow's answer while its last task writes it. A client cannot take back text: another attempt of the task
 * sends nothing until it has written what was sent, and then the rest.
 */
final class AnswerText implements AutoCloseable {
    private static final long POLL_INTERVAL_NANOS = Duration.ofMillis(40).toNanos();

    /** A longer answer may be truncated when it is stored. */
    private static final int MAX_LENGTH = StorableText.MAX_BYTES / 8;

    private final TaskTextReader text;
    private final String output;
    private final AnswerStream stream;
    private final Thread sender = Thread.ofVirtual().name("answer-text").unstarted(this::send);
    private final StringBuilder sent = new StringBuilder();
    private final StringBuilder value = new StringBuilder();
    private JsonTextReader reader;
    private volatile boolean isStopped;

    private AnswerText(TaskTextReader text, String output, AnswerStream stream) {
        this.text = text;
        this.output = output;
        this.stream = stream;
        this.reader = new JsonTextReader(output);
    }

    /** Null if the answer is not the text of one task, and therefore known only at the end. */
    static @Nullable AnswerText start(LiveTexts texts, WorkflowRun run, AnswerStream stream) {
        ExecutionPlan plan = run.instance().state().plan();
        List<Task> last = IntStream.range(0, plan.size())
                .filter(number -> plan.successorCount(number) == 0)
                .mapToObj(plan::task)
                .toList();
        Task task = last.getFirst();
        List<OutputParameter> outputs = task.expectedOutput();
        boolean isAnswer = last.size() == 1
                && task.kind() == TaskKind.AI
                && outputs.size() == 1
                && outputs.getFirst().type() == OutputType.STRING
                && task.controlFlow().forEach() == null
                && task.controlFlow().repeat() == null;
        if (!isAnswer) {
            return null;
        }
        var header = run.instance().header();
        var source = new TextSource(header.organization(), header.conversation(), header.id());
        TaskTextReader text = texts.read(source, header.id(), task.id().value());
        var started = new AnswerText(text, outputs.getFirst().name(), stream);
        started.sender.start();
        return started;
    }

    private void send() {
        while (!isStopped) {
            value.append(reader.add(text.next(this::reset)));
            boolean hasMore = value.length() > sent.length() && value.length() <= MAX_LENGTH;
            if (hasMore && value.toString().startsWith(sent.toString())) {
                String more = value.substring(sent.length());
                sent.append(more);
                stream.onText(more);
            }
            LockSupport.parkNanos(POLL_INTERVAL_NANOS);
        }
    }

    private void reset() {
        value.setLength(0);
        reader = new JsonTextReader(output);
    }

    /** Returns the text that was sent; no more follows. */
    String stop() throws InterruptedException {
        isStopped = true;
        LockSupport.unpark(sender);
        sender.join();
        return sent.toString();
    }

    @Override
    public void close() {
        isStopped = true;
        text.close();
    }
}
