package dev.parley.http.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.deser.Deserializers;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import dev.parley.id.Id;
import dev.parley.id.UuidV7;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the ids in request bodies, with or without the hyphens of a UUID. */
final class IdDeserializers extends Deserializers.Base {
    @Override
    public @Nullable JsonDeserializer<?> findBeanDeserializer(
            JavaType type, DeserializationConfig config, BeanDescription description) {
        return type.isTypeOrSubTypeOf(Id.class) ? new IdDeserializer(type.getRawClass()) : null;
    }

    private static final class IdDeserializer extends StdScalarDeserializer<Object> {
        private static final long serialVersionUID = 1;

        private final transient Constructor<?> constructor;

        IdDeserializer(Class<?> type) {
            super(type);
            try {
                constructor = type.getDeclaredConstructor(UUID.class);
            } catch (NoSuchMethodException e) {
                throw new IllegalArgumentException(e);
            }
        }

        @Override
        public Object deserialize(JsonParser json, DeserializationContext context) throws IOException {
            if (!json.hasToken(JsonToken.VALUE_STRING)) {
                return context.handleUnexpectedToken(String.class, json);
            }
            Optional<UUID> id = UuidV7.parse(json.getText());
            try {
                return id.isPresent()
                        ? constructor.newInstance(id.get())
                        : context.handleWeirdStringValue(handledType(), json.getText(), "no id");
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
