package dev.parley.http.json;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.argument.ArgumentFactory;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.mapper.ColumnMapper;
import org.jdbi.v3.core.mapper.ColumnMapperFactory;
import org.jspecify.annotations.Nullable;

/** Reads and writes maps, records, and lists of them as columns of JSON, for the stores that register it. */
public final class JsonColumns implements ColumnMapperFactory, ArgumentFactory {
    @Override
    public Optional<ColumnMapper<?>> build(Type type, ConfigRegistry config) {
        return isJson(type)
                ? Optional.of((row, column, _) -> {
                    String json = row.getString(column);
                    return json == null ? null : StrictJson.readTrusted(json, type);
                })
                : Optional.empty();
    }

    @Override
    public Optional<Argument> build(Type type, @Nullable Object value, ConfigRegistry config) {
        return isJson(type)
                ? Optional.of((position, statement, _) ->
                        statement.setString(position, value == null ? null : StrictJson.write(value)))
                : Optional.empty();
    }

    /** A record of one component, such as an id, is not. */
    private static boolean isJson(Type type) {
        return type instanceof ParameterizedType generic
                ? generic.getRawType() == Map.class
                        || (generic.getRawType() == List.class && isJson(generic.getActualTypeArguments()[0]))
                : type instanceof Class<?> record && record.isRecord() && record.getRecordComponents().length > 1;
    }
}
