package dev.parley.http.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.io.IOException;

/** JSON stored and returned as its original text, so that numbers keep their spelling and nothing is parsed twice. */
@JsonSerialize(using = RawJson.Serializer.class)
public record RawJson(String text) {
    public static final RawJson EMPTY_OBJECT = new RawJson("{}");

    /** Writes the text unchanged. */
    public static final class Serializer extends JsonSerializer<RawJson> {
        @Override
        public void serialize(RawJson value, JsonGenerator json, SerializerProvider serializers) throws IOException {
            json.writeRawValue(value.text);
        }
    }
}
