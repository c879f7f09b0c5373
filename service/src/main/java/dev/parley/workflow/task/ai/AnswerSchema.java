package dev.parley.workflow.task.ai;

import dev.parley.workflow.definition.core.value.OutputParameter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON Schema of a model's answer: an object with one member per expected output. */
final class AnswerSchema {
    private AnswerSchema() {}

    static Map<String, Object> of(List<OutputParameter> outputs) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (OutputParameter output : outputs) {
            Map<String, Object> property = new LinkedHashMap<>();
            switch (output.type()) {
                case BOOLEAN -> property.put("type", "boolean");
                case INTEGER -> property.put("type", "integer");
                case FLOAT -> property.put("type", "number");
                case DATETIME -> {
                    property.put("type", "string");
                    property.put("format", "date-time");
                }
                case STRING, TEXT, MARKDOWN, HTML, CODE, PDF, CSV, XML, FILE, PPT -> property.put("type", "string");
            }
            property.put("description", output.description());
            properties.put(output.name(), property);
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", outputs.stream().map(OutputParameter::name).toList());
        schema.put("additionalProperties", false);
        return schema;
    }
}
