package dev.parley.http.openapi;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.http.IdSchema;
import dev.parley.http.constraint.Name;
import dev.parley.http.constraint.Text;
import dev.parley.http.core.SingleLineText;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.FieldInfo;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.RecordComponentInfo;
import org.jspecify.annotations.Nullable;

/**
 * Completes the schemas of records from their declarations. {@code @Nullable} members may be null unless an annotation
 * requires them. A response has all its members, except those that Jackson omits when null; a request allows no others,
 * and requires those that its annotations name.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD)
public final class RecordSchemaFilter implements OASFilter {
    private static final DotName NULLABLE = DotName.createSimple(Nullable.class);
    private static final DotName IGNORED = DotName.createSimple(JsonIgnore.class);
    private static final DotName UNWRAPPED = DotName.createSimple(JsonUnwrapped.class);
    private static final DotName INCLUDED = DotName.createSimple(JsonInclude.class);
    private static final DotName PROPERTY = DotName.createSimple(JsonProperty.class);
    private static final DotName NAME = DotName.createSimple(Name.class);
    private static final DotName TEXT = DotName.createSimple(Text.class);
    private static final DotName SCHEMA =
            DotName.createSimple(org.eclipse.microprofile.openapi.annotations.media.Schema.class);

    private static final Pattern PAGE = Pattern.compile(SchemaUsage.PREFIX + "Page[A-Z].*");

    /**
     * A member of a record's JSON.
     *
     * @param text the number of characters; null without a limit
     */
    private record RecordMember(
            boolean nullable,
            boolean omittedWhenNull,
            @Nullable TextLimits text) {
        RecordMember or(RecordMember other) {
            return new RecordMember(
                    nullable || other.nullable,
                    omittedWhenNull || other.omittedWhenNull,
                    text == null ? other.text : text);
        }
    }

    /** The limits of {@link Text} and {@link Name}, which the scanner does not know. */
    private record TextLimits(int min, int max, @Nullable String pattern) {}

    /** The members of each record, by the name of its schema. */
    private final Map<String, List<Map<String, RecordMember>>> byName = new LinkedHashMap<>();

    public RecordSchemaFilter(IndexView index) {
        for (ClassInfo type : index.getKnownClasses()) {
            if (type.isRecord() && type.name().toString().startsWith("dev.parley.")) {
                byName.computeIfAbsent(schemaName(type), _ -> new ArrayList<>()).add(members(index, type));
            }
        }
    }

    @Override
    public void filterOpenAPI(OpenAPI api) {
        if (api.getComponents() == null || api.getComponents().getSchemas() == null) {
            return;
        }
        namePages(api);
        var usage = new SchemaUsage(api);
        usage.separateRequestsFromResponses();
        api.getComponents().getSchemas().forEach((name, schema) -> {
            allowMembers(schema);
            if (schema.getProperties() != null) {
                complete(name, schema, usage.isRequest(name));
            }
        });
    }

    /** A page has the name of its items, and its response says so. The scanner puts the name of the class first. */
    private static void namePages(OpenAPI api) {
        for (Operation operation : SchemaUsage.operations(api)) {
            APIResponse response = operation.getResponses() == null
                    ? null
                    : operation.getResponses().getAPIResponse("200");
            if (response == null) {
                continue;
            }
            for (Schema schema : SchemaUsage.schemas(response.getContent()).toList()) {
                if (schema.getRef() != null && PAGE.matcher(schema.getRef()).matches()) {
                    schema.setRef(SchemaUsage.PREFIX + namePage(api.getComponents(), schema.getRef()));
                    response.setDescription("A page");
                }
            }
        }
        api.getComponents().getSchemas().keySet().stream()
                .filter(name -> PAGE.matcher(SchemaUsage.PREFIX + name).matches())
                .toList()
                .forEach(api.getComponents()::removeSchema);
    }

    private static String namePage(Components components, String ref) {
        Schema page =
                Objects.requireNonNull(components.getSchemas().get(ref.substring(SchemaUsage.PREFIX.length())), ref);
        Schema items = Objects.requireNonNull(page.getProperties().get("items"), ref);
        String name = items.getItems().getRef().substring(SchemaUsage.PREFIX.length()) + "Page";
        components.addSchema(name, page);
        return name;
    }

    private void complete(String name, Schema schema, boolean isRequest) {
        Map<String, RecordMember> members =
                members(name, Set.copyOf(schema.getProperties().keySet()));
        if (!members.isEmpty()) {
            // The scanner also reports a method isX() as a member; Jackson does not.
            Set.copyOf(schema.getProperties().keySet()).stream()
                    .filter(property -> !members.containsKey(property))
                    .forEach(schema::removeProperty);
        }
        members.forEach((member, is) -> complete(schema, member, is, isRequest));
        if (schema.getRequired() != null) {
            schema.setRequired(schema.getRequired().stream().sorted().toList());
        }
        if (isRequest) {
            schema.setAdditionalPropertiesSchema(OASFactory.createSchema().booleanSchema(false));
        }
    }

    /** The record with that name. A generic record has one name per use and is found by its members. */
    private Map<String, RecordMember> members(String name, Set<String> properties) {
        Map<String, RecordMember> named = merged(
                byName.getOrDefault(name, List.of()).stream().filter(one -> properties.containsAll(one.keySet())));
        return named.isEmpty()
                ? merged(byName.values().stream().flatMap(List::stream).filter(one -> properties.equals(one.keySet())))
                : named;
    }

    private static Map<String, RecordMember> merged(Stream<Map<String, RecordMember>> records) {
        Map<String, RecordMember> merged = new LinkedHashMap<>();
        records.forEach(members -> members.forEach((member, is) -> merged.merge(member, is, RecordMember::or)));
        return merged;
    }

    private static String schemaName(ClassInfo type) {
        AnnotationInstance schema = type.declaredAnnotation(SCHEMA);
        AnnotationValue name = schema == null ? null : schema.value("name");
        return name == null ? type.simpleName() : name.asString();
    }

    /** The visible members, including those of unwrapped members. */
    private static Map<String, RecordMember> members(IndexView index, ClassInfo type) {
        Map<String, RecordMember> members = new LinkedHashMap<>();
        for (RecordComponentInfo component : type.recordComponents()) {
            FieldInfo field = type.field(component.name());
            ClassInfo unwrapped = field.hasAnnotation(UNWRAPPED)
                    ? index.getClassByName(field.type().name())
                    : null;
            if (unwrapped != null) {
                members.putAll(members(index, unwrapped));
            } else if (!field.hasAnnotation(IGNORED)) {
                AnnotationInstance named = field.annotation(PROPERTY);
                AnnotationValue name = named == null ? null : named.value();
                members.put(
                        name == null ? snakeCase(component.name()) : name.asString(),
                        new RecordMember(
                                component.type().hasAnnotation(NULLABLE),
                                field.hasAnnotation(INCLUDED),
                                limits(index, field)));
            }
        }
        return members;
    }

    private static @Nullable TextLimits limits(IndexView index, FieldInfo field) {
        AnnotationInstance name = field.annotation(NAME);
        if (name != null) {
            return new TextLimits(1, name.valueWithDefault(index, "max").asInt(), SingleLineText.PATTERN);
        }
        AnnotationInstance text = field.annotation(TEXT);
        return text == null
                ? null
                : new TextLimits(
                        text.valueWithDefault(index, "min").asInt(),
                        text.value("max").asInt(),
                        null);
    }

    private static void complete(Schema schema, String name, RecordMember member, boolean isRequest) {
        Schema property = Objects.requireNonNull(schema.getProperties().get(name), name);
        boolean isRequired =
                schema.getRequired() != null && schema.getRequired().contains(name);
        if (isRequest) {
            if (member.text != null) {
                property.setMinLength(member.text.min == 0 ? null : member.text.min);
                property.setMaxLength(member.text.max);
                if (member.text.pattern != null) {
                    property.setPattern(member.text.pattern);
                }
            }
            if (IdSchema.isId(name)) {
                IdSchema.constrain(property);
            }
            if (member.nullable && !isRequired) {
                schema.addProperty(name, orNull(property));
            }
            return;
        }
        if (member.nullable && !member.omittedWhenNull && !isRequired) {
            schema.addProperty(name, orNull(property));
        }
        if (!member.omittedWhenNull && !isRequired) {
            schema.addRequired(name);
        }
    }

    /** An object without documented members allows any; otherwise generated clients type it as an empty object. */
    private static void allowMembers(Schema schema) {
        boolean isObject = schema.getType() != null && schema.getType().contains(Schema.SchemaType.OBJECT);
        if (isObject && schema.getRef() == null && SchemaUsage.parts(schema).isEmpty()) {
            schema.setAdditionalPropertiesSchema(OASFactory.createSchema().booleanSchema(true));
        }
        SchemaUsage.parts(schema).forEach(RecordSchemaFilter::allowMembers);
    }

    private static Schema orNull(Schema property) {
        if (property.getType() != null && property.getType().contains(Schema.SchemaType.NULL)) {
            return property;
        }
        if (property.getRef() == null && property.getEnumeration() == null) {
            return property.getType() == null ? property : property.addType(Schema.SchemaType.NULL);
        }
        return OASFactory.createSchema()
                .anyOf(List.of(property, OASFactory.createSchema().addType(Schema.SchemaType.NULL)));
    }

    private static String snakeCase(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }
}
