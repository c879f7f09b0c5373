package dev.parley.workflow.instance.store;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Writes and reads the JSON in UTF-8 that engines pass between processes: events, effects, companions, headers and
 * attempts, also as components of an engine's own records. In an event or an effect, {@code type} is the name of its record.
 * Unknown members are skipped, so that nodes of two versions can exchange messages during an upgrade.
 */
public final class EngineJson {
    private static final JsonMapper MAPPER = EngineJsonMapper.create();

    private EngineJson() {}

    /** @param type the declared type, such as the sealed interface of an event */
    public static <T> byte[] write(Class<T> type, T value) {
        try {
            return MAPPER.writerFor(type).writeValueAsBytes(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @throws UncheckedIOException for bytes that are not such JSON */
    public static <T> T read(Class<T> type, byte[] json) {
        try {
            T value = MAPPER.readerFor(type).readValue(json);
            if (value == null) {
                throw new IOException("The JSON is null.");
            }
            return value;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
