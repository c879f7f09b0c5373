package dev.parley.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.io.IOException;

/** JSON that is kept and answered as the text it came in, so that no number is changed and nothing is parsed twice. */
@JsonSerialize(using = RawJson.Serializer.class)
public record RawJson(String text) {
    public static final RawJson EMPTY_OBJECT = new RawJson("{}");

    /** Writes the text as it is. */
    public static final class Serializer extends JsonSerializer<RawJson> {
        @Override
        public void serialize(RawJson value, JsonGenerator json, SerializerProvider serializers) throws IOException {
            json.writeRawValue(value.text);
        }
    }
}
