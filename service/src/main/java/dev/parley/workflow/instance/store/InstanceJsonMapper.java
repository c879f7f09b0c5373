package dev.parley.workflow.instance.store;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.plan.TriggerData;
import dev.parley.workflow.instance.core.state.InstanceDelta;
import dev.parley.workflow.instance.core.state.InstanceError;
import dev.parley.workflow.instance.core.state.ItemsDelta;
import dev.parley.workflow.instance.core.state.TaskError;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.WaitingReason;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps the records of instances to JSON with short names, without what is null, empty or zero. */
final class InstanceJsonMapper {
    private InstanceJsonMapper() {}

    static JsonMapper create() {
        JsonMapper mapper = JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNumberLength(10_000)
                                .maxStringLength(Integer.MAX_VALUE)
                                .build())
                        .build())
                .addModule(new SimpleModule()
                        .addSerializer(Instant.class, new MillisSerializer())
                        .addDeserializer(Instant.class, new MillisDeserializer())
                        .addSerializer(BigDecimal.class, new DecimalSerializer())
                        .addDeserializer(Number.class, new NumberDeserializer()))
                .addMixIn(InstanceDelta.class, CommonMixIn.class)
                .addMixIn(InstanceJson.StateDocument.class, CommonMixIn.class)
                .addMixIn(InstanceError.class, ErrorMixIn.class)
                .addMixIn(TriggerData.class, TriggerMixIn.class)
                .addMixIn(TaskState.class, TaskMixIn.class)
                .addMixIn(ItemsDelta.class, ItemsMixIn.class)
                .addMixIn(TaskError.class, ErrorMixIn.class)
                .addMixIn(ModelUsage.class, UsageMixIn.class)
                .addMixIn(TaskId.class, TaskIdMixIn.class)
                .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
                .defaultPropertyInclusion(JsonInclude.Value.construct(Include.NON_NULL, Include.ALWAYS))
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
        mapper.configOverride(int.class).setInclude(JsonInclude.Value.ALL_NON_DEFAULT);
        mapper.configOverride(boolean.class).setInclude(JsonInclude.Value.ALL_NON_DEFAULT);
        for (Class<?> container : List.of(Map.class, List.class)) {
            mapper.configOverride(container)
                    .setInclude(JsonInclude.Value.construct(Include.NON_EMPTY, Include.ALWAYS))
                    .setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY));
        }
        return mapper;
    }

    private interface CommonMixIn {
        @JsonProperty("v")
        int version();

        @JsonProperty("created")
        Instant createdAt();

        @JsonProperty("at")
        Instant updatedAt();

        @JsonProperty("paused")
        boolean pausedByRequest();

        /** Sorted, so that each process writes the same bytes for the same value. */
        @JsonProperty
        @JsonFormat(with = JsonFormat.Feature.WRITE_SORTED_MAP_ENTRIES)
        Map<TaskId, TaskState> tasks();

        @JsonProperty
        @JsonFormat(with = JsonFormat.Feature.WRITE_SORTED_MAP_ENTRIES)
        Map<TaskId, ItemsDelta> items();

        /** An instance without outputs completes with an empty object. */
        @JsonInclude(Include.NON_NULL)
        @JsonSetter(nulls = Nulls.SET)
        Map<String, @Nullable Object> output();

        @JsonProperty("finished")
        Instant finishedAt();
    }

    private interface TriggerMixIn {
        @JsonProperty("instance")
        String instanceId();

        @JsonProperty("organization")
        String organizationId();

        @JsonProperty("conversation")
        String conversationId();

        @JsonProperty("human_msg")
        String humanMessage();

        @JsonProperty("file_urls")
        List<String> fileUrls();

        @JsonProperty("started")
        Instant startedAt();
    }

    private interface TaskMixIn {
        @JsonProperty("policy")
        int policyRetries();

        @JsonProperty("waits")
        WaitingReason waitingFor();

        @JsonProperty("started")
        Instant startedAt();

        @JsonProperty("finished")
        Instant finishedAt();

        @JsonProperty("retry")
        Instant retryAt();

        @JsonProperty("reused")
        String reusedFrom();
    }

    /** An array without items differs from none. */
    private interface ItemsMixIn {
        @JsonInclude(Include.NON_NULL)
        @JsonSetter(nulls = Nulls.SET)
        List<@Nullable Object> values();

        @JsonProperty
        @JsonFormat(with = JsonFormat.Feature.WRITE_SORTED_MAP_ENTRIES)
        Map<Integer, TaskState> states();
    }

    private interface ErrorMixIn {
        @JsonProperty("transient")
        boolean isTransient();
    }

    private interface UsageMixIn {
        @JsonProperty("in")
        long inputTokens();

        @JsonProperty("out")
        long outputTokens();

        @JsonProperty("cost")
        long costMicros();

        @JsonProperty("models")
        int modelCalls();

        @JsonProperty("tools")
        int toolCalls();
    }

    private abstract static class TaskIdMixIn {
        @SuppressWarnings("UnusedVariable") // only the signature counts
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        TaskIdMixIn(String value) {}

        @JsonValue
        abstract String value();
    }

    private static final class MillisSerializer extends StdScalarSerializer<Instant> {
        MillisSerializer() {
            super(Instant.class);
        }

        @Override
        public void serialize(Instant time, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeNumber(time.toEpochMilli());
        }
    }

    private static final class MillisDeserializer extends StdScalarDeserializer<Instant> {
        MillisDeserializer() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return Instant.ofEpochMilli(in.getLongValue());
        }
    }

    /** Writes a decimal without fraction digits as {@code 5E0}: {@code 5} would be read as an integer. */
    private static final class DecimalSerializer extends StdScalarSerializer<BigDecimal> {
        DecimalSerializer() {
            super(BigDecimal.class);
        }

        @Override
        public void serialize(BigDecimal number, JsonGenerator out, SerializerProvider provider) throws IOException {
            String text = number.toString();
            boolean looksInteger = text.indexOf('.') < 0 && text.indexOf('E') < 0;
            out.writeNumber(looksInteger ? text + "E0" : text);
        }
    }

    /** Reads integers as {@link Long}, or {@link BigInteger} beyond its range, and decimals with their scale. */
    private static final class NumberDeserializer extends StdScalarDeserializer<Number> {
        NumberDeserializer() {
            super(Number.class);
        }

        @Override
        public Number deserialize(JsonParser in, DeserializationContext context) throws IOException {
            if (in.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
                return in.getDecimalValue();
            }
            return in.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                    ? in.getBigIntegerValue()
                    : (Number) in.getLongValue();
        }
    }
}
