package dev.parley.workflow.instance;

import dev.parley.Tenant;
import dev.parley.http.IfMatch;
import dev.parley.http.json.StrictJson;
import dev.parley.id.WorkflowId;
import dev.parley.workflow.definition.WorkflowService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Published workflows for tests of their instances. */
public final class Workflows {
    private Workflows() {}

    /** An example, with the tenant's owner as every assignee. */
    static WorkflowId example(Tenant tenant, String name) {
        return example(tenant, name, UnaryOperator.identity());
    }

    /** An example whose text is edited first. */
    static WorkflowId example(Tenant tenant, String name, UnaryOperator<String> edit) {
        try {
            String json = Files.readString(Path.of("../examples", name + ".json"))
                    .replace("\"assignment_type\": \"Team\"", "\"assignment_type\": \"User\"")
                    .replace("{{user}}", tenant.owner().text())
                    .replace("{{team}}", tenant.owner().text());
            return publish(tenant, StrictJson.readObject(edit.apply(json)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static WorkflowId publish(Tenant tenant, Map<String, Object> document) {
        var store = Tenant.bean(WorkflowService.class);
        WorkflowId id =
                store.create(tenant.organization(), document, true, "system").id();
        var _ = store.publish(tenant.organization(), id, "system", null, IfMatch.ANY, _ -> {})
                .orElseThrow();
        return id;
    }

    /** A workflow under construction. */
    public static Builder of(Tenant tenant) {
        return new Builder(tenant);
    }

    public static final class Builder {
        private final Tenant tenant;
        private final List<Object> rules = new ArrayList<>();
        private final List<Object> tasks = new ArrayList<>();
        private final List<Object> dependencies = new ArrayList<>();
        private String name = "Test";

        private Builder(Tenant tenant) {
            this.tenant = tenant;
            rule("Human Feedback");
        }

        Builder named(String name) {
            this.name = name;
            return this;
        }

        public Builder rule(String type) {
            rules.add(Map.of(
                    "rule_type",
                    type,
                    "assignment_type",
                    "User",
                    "assignee_id",
                    tenant.owner().text()));
            return this;
        }

        /** An AI task with the input {@code human_msg} and the output {@code answer}. */
        public Builder ai(String id) {
            return task(
                    id,
                    Map.of(
                            "kind", "AI",
                            "input_parameters", List.of(input("human_msg", "STRING", "system_generated", true)),
                            "expected_output", List.of(output("answer", "STRING"))));
        }

        public Builder human(String id) {
            return task(id, Map.of("kind", "Human", "expected_output", List.of(output("approved", "BOOLEAN"))));
        }

        public Builder task(String id, Map<String, Object> fields) {
            Map<String, Object> task = new LinkedHashMap<>();
            task.put("id", id);
            task.put("name", id);
            task.put("instructions", "Do " + id + ".");
            task.putAll(fields);
            tasks.add(task);
            return this;
        }

        public Builder after(String from, String to) {
            dependencies.add(Map.of("from", from, "to", to));
            return this;
        }

        public WorkflowId publish() {
            return Workflows.publish(tenant, document());
        }

        WorkflowId draft() {
            return Tenant.bean(WorkflowService.class)
                    .create(tenant.organization(), document(), true, "system")
                    .id();
        }

        public Map<String, Object> document() {
            return Map.of(
                    "name", name,
                    "description", "",
                    "assignment_rules", rules,
                    "tasks", tasks,
                    "dependencies", dependencies);
        }
    }

    public static Map<String, Object> input(String name, String type, String source, boolean required) {
        return Map.of("name", name, "type", type, "description", name, "source", source, "required", required);
    }

    public static Map<String, Object> output(String name, String type) {
        return Map.of("name", name, "type", type, "description", name);
    }
}
