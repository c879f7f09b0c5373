package dev.parley.workflow.instance;

import dev.parley.Tenant;
import dev.parley.id.WorkflowId;
import java.util.List;
import java.util.Map;

/** Workflows for tests of other packages. */
public final class PublishedWorkflows {
    private PublishedWorkflows() {}

    /** A workflow with one task, which asks a person to approve. */
    public static WorkflowId asking(Tenant tenant) {
        return Workflows.of(tenant).human("approve").publish();
    }

    /** A workflow with one task, which returns its input as a CSV file. */
    public static WorkflowId yielding(Tenant tenant) {
        return Workflows.of(tenant)
                .task(
                        "yield",
                        Map.of(
                                "kind", "AI",
                                "input_parameters",
                                        List.of(Workflows.input("human_msg", "STRING", "system_generated", true)),
                                "expected_output", List.of(Workflows.output("human_msg", "CSV"))))
                .publish();
    }
}
