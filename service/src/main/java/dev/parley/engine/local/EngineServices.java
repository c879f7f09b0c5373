package dev.parley.engine.local;

import dev.parley.message.run.MessageProcessor;
import dev.parley.workflow.attempt.AttemptWriter;
import dev.parley.workflow.instance.run.DelayedActions;
import dev.parley.workflow.instance.run.RunMetrics;
import dev.parley.workflow.instance.run.SubWorkflowEnds;
import dev.parley.workflow.instance.run.task.AttemptRecorder;
import dev.parley.workflow.instance.run.task.TaskRunner;
import dev.parley.workflow.instance.store.InstanceReader;
import dev.parley.workflow.journal.JournalStore;
import jakarta.inject.Singleton;
import java.time.Clock;

/** What the engine's workers use, whatever their node. */
@Singleton
public record EngineServices(
        InstanceStore store,
        OwnershipStore ownership,
        InstanceReader reader,
        TaskRunner tasks,
        MessageProcessor messages,
        DelayedActions delays,
        RunMetrics ended,
        SubWorkflowEnds subWorkflows,
        AttemptRecorder attempts,
        AttemptWriter attemptWriter,
        JournalStore journals,
        Clock clock) {}
