package dev.parley.workflow.instance.store;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import dev.parley.datalake.core.RowFilter;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.TaskAttemptId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.TaskInputs;
import dev.parley.workflow.instance.core.state.ReusedResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Adds the types of {@link EngineJson} to the mapper of stored instances. */
final class EngineJsonMapper {
    private EngineJsonMapper() {}

    static JsonMapper create() {
        JsonMapper mapper = InstanceJsonMapper.create();
        mapper.registerModule(new SimpleModule()
                .addSerializer(Duration.class, new ToStringSerializer(Duration.class))
                .addDeserializer(Duration.class, new DurationDeserializer()));
        for (Class<?> id : List.of(
                OrganizationId.class,
                WorkflowInstanceId.class,
                WorkflowId.class,
                ConversationId.class,
                MessageId.class,
                TaskAttemptId.class)) {
            mapper.addMixIn(id, IdMixIn.class);
        }
        for (Class<?> sealed : List.of(InstanceEvent.class, Effect.class, Companion.class, RowFilter.class)) {
            mapper.addMixIn(sealed, TypedMixIn.class);
        }
        StoredNames.NAMES.forEach((type, name) -> mapper.registerSubtypes(new NamedType(type, name)));
        mapper.addMixIn(Effect.CloseTicket.class, CloseTicketMixIn.class);
        mapper.addMixIn(TaskInputs.class, InputsMixIn.class);
        mapper.addMixIn(InstanceEvent.InstanceStarted.class, StartedMixIn.class);
        mapper.disable(SerializationFeature.FAIL_ON_EMPTY_BEANS);
        return mapper;
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    private interface TypedMixIn {}

    /** A ticket that is completed without fields has an empty answer, which differs from none. */
    private interface CloseTicketMixIn {
        @JsonInclude(Include.NON_NULL)
        @JsonSetter(nulls = Nulls.SET)
        Map<String, @Nullable Object> answer();
    }

    /** Sorted, so that each process writes the same bytes for the same value. */
    private interface InputsMixIn {
        @JsonProperty
        @JsonFormat(with = JsonFormat.Feature.WRITE_SORTED_MAP_ENTRIES)
        Map<String, TaskInputs.Fetch> toFetch();
    }

    private interface StartedMixIn {
        @JsonProperty
        @JsonFormat(with = JsonFormat.Feature.WRITE_SORTED_MAP_ENTRIES)
        Map<TaskId, ReusedResult> reused();
    }

    private abstract static class IdMixIn {
        @SuppressWarnings("UnusedVariable") // only the signature counts
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        IdMixIn(UUID value) {}

        @JsonValue
        abstract UUID value();
    }

    private static final class DurationDeserializer extends StdScalarDeserializer<Duration> {
        private static final long serialVersionUID = 1;

        DurationDeserializer() {
            super(Duration.class);
        }

        @Override
        public Duration deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return Duration.parse(in.getText());
        }
    }
}
