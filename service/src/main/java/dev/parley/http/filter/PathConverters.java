package dev.parley.http.filter;

import dev.parley.id.ApiKeyId;
import dev.parley.id.ConversationId;
import dev.parley.id.DataLakeId;
import dev.parley.id.Id;
import dev.parley.id.MailId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.SessionId;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import dev.parley.id.UuidV7;
import dev.parley.id.WebhookDeliveryId;
import dev.parley.id.WebhookEndpointId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.ext.ParamConverter;
import jakarta.ws.rs.ext.ParamConverterProvider;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parses the ids, numbers and constants in paths and queries. A malformed one in a path is a 404, like an unknown one;
 * in a query it is a violation.
 */
@Provider
public final class PathConverters implements ParamConverterProvider {
    /** @param noun names the identified thing in errors */
    private record IdKind(String noun, Function<UUID, Id> create) {}

    private static final Map<Class<?>, IdKind> IDS = Map.ofEntries(
            Map.entry(ApiKeyId.class, new IdKind("API key", ApiKeyId::new)),
            Map.entry(ConversationId.class, new IdKind("conversation", ConversationId::new)),
            Map.entry(DataLakeId.class, new IdKind("data lake", DataLakeId::new)),
            Map.entry(MailId.class, new IdKind("email", MailId::new)),
            Map.entry(MessageId.class, new IdKind("message", MessageId::new)),
            Map.entry(OrganizationId.class, new IdKind("organization", OrganizationId::new)),
            Map.entry(SessionId.class, new IdKind("session", SessionId::new)),
            Map.entry(TicketId.class, new IdKind("ticket", TicketId::new)),
            Map.entry(UserId.class, new IdKind("member", UserId::new)),
            Map.entry(WebhookDeliveryId.class, new IdKind("webhook delivery", WebhookDeliveryId::new)),
            Map.entry(WebhookEndpointId.class, new IdKind("webhook endpoint", WebhookEndpointId::new)),
            Map.entry(WorkflowId.class, new IdKind("workflow", WorkflowId::new)),
            Map.entry(WorkflowInstanceId.class, new IdKind("workflow instance", WorkflowInstanceId::new)));

    private static final Map<String, String> NUMBERS = Map.of(
            "teamId",
            "team",
            "providerId",
            "tool provider",
            "modelProviderId",
            "model provider",
            "modelId",
            "model",
            "budgetId",
            "budget",
            "toolId",
            "tool",
            "artifactId",
            "code artifact",
            "version",
            "version");

    /** Parses one parameter. */
    private record Converter<T>(Function<String, Optional<T>> parse, ApiProblem failure) implements ParamConverter<T> {
        @Override
        public T fromString(String text) {
            return parse.apply(text).orElseThrow(() -> failure);
        }

        @Override
        public String toString(T value) {
            return value.toString();
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable ParamConverter<T> getConverter(Class<T> type, Type generic, Annotation[] annotations) {
        IdKind id = IDS.get(type);
        if (id != null) {
            return (ParamConverter<T>) new Converter<>(
                    text -> UuidV7.parse(text).map(id.create),
                    failure(annotations, id.noun, ViolationCode.INVALID_FORMAT, "an id of 32 hex digits"));
        }
        if (type.isEnum()) {
            List<T> constants = List.of(type.getEnumConstants());
            return new Converter<>(
                    text -> constants.stream()
                            .filter(constant -> ((Enum<?>) constant).name().equals(text))
                            .findFirst(),
                    failure(annotations, type.getSimpleName(), ViolationCode.NOT_ONE_OF, "one of " + constants));
        }
        if (name(annotations, QueryParam.class, QueryParam::value).isPresent()) {
            if (type == Integer.class) {
                return (ParamConverter<T>) new Converter<>(
                        PathConverters::integer, failure(annotations, "", ViolationCode.INVALID_FORMAT, "an integer"));
            }
            if (type == Boolean.class) {
                return (ParamConverter<T>) new Converter<>(
                        PathConverters::flag, failure(annotations, "", ViolationCode.NOT_ONE_OF, "'true' or 'false'"));
            }
        }
        String noun = name(annotations, PathParam.class, PathParam::value)
                .map(NUMBERS::get)
                .orElse(null);
        return noun == null || (type != int.class && type != Integer.class)
                ? null
                : (ParamConverter<T>) new Converter<>(PathConverters::positive, ApiProblem.notFound(noun));
    }

    private static ApiProblem failure(Annotation[] annotations, String noun, ViolationCode code, String expected) {
        return name(annotations, QueryParam.class, QueryParam::value)
                .map(name ->
                        ApiProblem.invalid(Violation.parameter(code, name, "'" + name + "' must be " + expected + ".")))
                .orElseGet(() -> ApiProblem.notFound(noun));
    }

    private static <A extends Annotation> Optional<String> name(
            Annotation[] annotations, Class<A> type, Function<A, String> name) {
        return Stream.of(annotations)
                .filter(type::isInstance)
                .map(type::cast)
                .map(name)
                .findFirst();
    }

    private static Optional<Integer> positive(String text) {
        return integer(text).filter(number -> number > 0);
    }

    private static Optional<Boolean> flag(String text) {
        return switch (text) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    private static Optional<Integer> integer(String text) {
        try {
            return Optional.of(Integer.valueOf(text));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }
}
