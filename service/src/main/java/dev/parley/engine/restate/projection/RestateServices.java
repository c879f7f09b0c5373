package dev.parley.engine.restate.projection;

import dev.parley.message.run.MessageProcessor;
import dev.parley.workflow.attempt.AttemptStore;
import dev.parley.workflow.attempt.AttemptWriter;
import dev.parley.workflow.instance.run.SubWorkflowEnds;
import dev.parley.workflow.instance.run.task.AttemptRecorder;
import dev.parley.workflow.instance.run.task.TaskRunner;
import dev.parley.workflow.instance.store.InstanceReader;
import dev.parley.workflow.instance.store.PlanCache;
import dev.parley.workflow.journal.JournalStore;
import jakarta.inject.Singleton;
import java.time.Clock;

/** What the engine's handlers use, whatever their node. */
@Singleton
public record RestateServices(
        InstanceProjection projection,
        ProjectedInstances projected,
        InstanceReader reader,
        PlanCache plans,
        TaskRunner tasks,
        MessageProcessor messages,
        SubWorkflowEnds subWorkflows,
        AttemptRecorder attempts,
        AttemptStore attemptStore,
        AttemptWriter attemptWriter,
        JournalStore journals,
        Clock clock) {}
