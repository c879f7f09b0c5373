package dev.parley.workflow.definition.core.document;

import dev.parley.workflow.definition.core.check.DefinitionSchema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A property of an object in the agent document. {@link ObjectReader} and {@link DefinitionSchema} share this
 * declaration, so that the validator and the JSON Schema agree on names, types and limits.
 *
 * @param required whether it must be present; an optional property may also be null
 */
public record DocumentProperty<T>(
        String name, boolean required, Map<String, @Nullable Object> schema, ValueReader<T> reader) {
    /** Reads a value that is not null; returns null after reporting a violation. */
    @FunctionalInterface
    interface ValueReader<T> {
        @Nullable
        T read(ObjectReader fields, String name, Object value);
    }

    private static <T> DocumentProperty<T> of(
            String name, Map<String, @Nullable Object> schema, ValueReader<T> reader) {
        return new DocumentProperty<>(name, true, schema, reader);
    }

    /** A string of 1 to {@code maxLength} code points that is not blank. */
    public static DocumentProperty<String> text(String name, int maxLength) {
        return of(name, SchemaParts.text(maxLength), (fields, at, value) -> fields.text(at, value, maxLength));
    }

    /** A string of at most {@code maxLength} code points. */
    public static DocumentProperty<String> anyText(String name, int maxLength) {
        return of(
                name,
                SchemaParts.map("type", "string", "maxLength", maxLength),
                (fields, at, value) -> fields.anyText(at, value, maxLength));
    }

    /** A text on a single line. */
    public static DocumentProperty<String> singleLine(String name) {
        return of(name, SchemaParts.name(), ObjectReader::singleLine);
    }

    /** The id of a task, which the caller validates. */
    public static DocumentProperty<String> taskId(String name) {
        return of(name, SchemaParts.taskId(), (fields, at, value) -> fields.text(at, value, DefinitionLimits.NAME));
    }

    public static DocumentProperty<Integer> integer(String name, int min, int max) {
        return of(name, SchemaParts.integer(min, max), (fields, at, value) -> fields.integer(at, value, min, max));
    }

    public static DocumentProperty<Boolean> flag(String name) {
        return of(name, SchemaParts.ofType("boolean"), ObjectReader::flag);
    }

    public static <E> DocumentProperty<E> choice(String name, Map<String, E> words) {
        return of(name, SchemaParts.words(words.keySet()), (fields, at, value) -> fields.choice(at, value, words));
    }

    public static DocumentProperty<List<?>> list(String name, Map<String, @Nullable Object> schema) {
        return of(name, schema, ObjectReader::list);
    }

    /** A value with rules of its own, which the caller validates. */
    public static DocumentProperty<Object> any(String name, Map<String, @Nullable Object> schema) {
        return of(name, schema, (_, _, value) -> value);
    }

    public DocumentProperty<T> optional() {
        return new DocumentProperty<>(name, false, SchemaParts.optional(schema), reader);
    }

    /** The same property with another schema. */
    public DocumentProperty<T> as(Map<String, @Nullable Object> other) {
        return new DocumentProperty<>(name, required, other, reader);
    }

    public DocumentProperty<T> with(String keyword, Object value) {
        return new DocumentProperty<>(name, required, SchemaParts.with(schema, keyword, value), reader);
    }
}
