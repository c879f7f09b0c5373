package dev.parley.db;

import static org.jdbi.v3.core.mapper.reflect.AccessibleObjectStrategy.FORCE_MAKE_ACCESSIBLE;

import dev.parley.id.Id;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.argument.AbstractArgumentFactory;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.array.SqlArrayType;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.mapper.ColumnMapper;
import org.jdbi.v3.core.mapper.ColumnMapperFactory;
import org.jdbi.v3.core.mapper.ColumnMappers;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.mapper.RowMapperFactory;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jdbi.v3.core.mapper.reflect.ReflectionMappers;
import org.jdbi.v3.core.spi.JdbiPlugin;

/**
 * Maps rows to records: each component is read from the column of its name in snake case. A record with one component,
 * such as an id, is read from a single column. Ids and {@link Instant}s are bound as they are.
 */
final class RecordMapping implements JdbiPlugin {
    @Override
    public void customizeJdbi(Jdbi jdbi) {
        // The parameters of statements may be records of a feature.
        jdbi.getConfig(ReflectionMappers.class).setAccessibleObjectStrategy(FORCE_MAKE_ACCESSIBLE);
        jdbi.registerArgument(new IdArgument());
        jdbi.registerArgument(new UuidArgument());
        jdbi.registerArgument(new InstantArgument());
        jdbi.registerArrayType((type, _) -> type instanceof Class<?> id && Id.class.isAssignableFrom(id)
                ? Optional.of(SqlArrayType.of("uuid", Id::value))
                : Optional.empty());
        jdbi.registerColumnMapper(Instant.class, (row, column, _) -> {
            OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
            return time == null ? null : time.toInstant();
        });
        jdbi.registerColumnMapper((ColumnMapperFactory) RecordMapping::columnMapper);
        jdbi.registerRowMapper((RowMapperFactory) RecordMapping::rowMapper);
    }

    private static Optional<RowMapper<?>> rowMapper(Type type, ConfigRegistry config) {
        return type instanceof Class<?> record && record.isRecord() && record.getRecordComponents().length > 1
                ? Optional.of(ConstructorMapper.of(record))
                : Optional.empty();
    }

    private static Optional<ColumnMapper<?>> columnMapper(Type type, ConfigRegistry config) {
        if (!(type instanceof Class<?> record && record.isRecord() && record.getRecordComponents().length == 1)) {
            return Optional.empty();
        }
        RecordComponent component = record.getRecordComponents()[0];
        Constructor<?> constructor = constructor(record, component.getType());
        return config.get(ColumnMappers.class)
                .findFor(component.getGenericType())
                .map(value -> (row, column, context) -> {
                    Object read = value.map(row, column, context);
                    return read == null ? null : construct(constructor, read);
                });
    }

    private static Constructor<?> constructor(Class<?> record, Class<?> component) {
        try {
            Constructor<?> constructor = record.getDeclaredConstructor(component);
            constructor.setAccessible(true);
            return constructor;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object construct(Constructor<?> constructor, Object value) {
        try {
            return constructor.newInstance(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class IdArgument extends AbstractArgumentFactory<Id> {
        IdArgument() {
            super(Types.OTHER);
        }

        @Override
        protected Argument build(Id id, ConfigRegistry config) {
            return (position, statement, _) -> statement.setObject(position, id.value());
        }
    }

    /** JDBI's own argument binds a null UUID as text. */
    private static final class UuidArgument extends AbstractArgumentFactory<UUID> {
        UuidArgument() {
            super(Types.OTHER);
        }

        @Override
        protected Argument build(UUID id, ConfigRegistry config) {
            return (position, statement, _) -> statement.setObject(position, id);
        }
    }

    /** JDBI's own argument binds a {@link Timestamp}, whose SQL type PostgreSQL has to guess. */
    private static final class InstantArgument extends AbstractArgumentFactory<Instant> {
        InstantArgument() {
            super(Types.TIMESTAMP_WITH_TIMEZONE);
        }

        @Override
        protected Argument build(Instant instant, ConfigRegistry config) {
            return (position, statement, _) -> statement.setObject(position, instant.atOffset(ZoneOffset.UTC));
        }
    }
}
