package dev.parley.tool.openapi;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The data for calling an operation, stored with the tool.
 *
 * @param server URL of the web API, without a trailing slash
 * @param path template such as {@code /pets/{petId}}
 * @param keyName name of the API key by the description; null for none
 * @param keyIn location of that key: header, query or cookie
 */
record OpenApiOperation(
        String method,
        String server,
        String path,
        List<Parameter> parameters,
        @Nullable RequestBodySpec body,
        @Nullable String keyName,
        @Nullable String keyIn) {
    OpenApiOperation {
        parameters = List.copyOf(parameters);
    }

    /**
     * A parameter of path, query, header or cookie.
     *
     * @param argument its name in the tool
     * @param name its name in the web API
     * @param in its location
     * @param style of OpenAPI, such as form or deepObject; or {@link #JSON}
     * @param explode whether array items or object members are written one by one
     */
    record Parameter(String argument, String name, String in, String style, boolean explode) {
        /** The style of a parameter that OpenAPI describes by a media type instead of a style. */
        static final String JSON = "json";
    }

    /** How a member of a form is written; without one an object is written as JSON. */
    record Encoding(String style, boolean explode) {}

    /**
     * The request body. Bindings stored by earlier builds lack all components but the first two.
     *
     * @param contentType as sent
     * @param members the arguments that are members of the body; null if one argument is the whole body
     * @param argument the argument that is the whole body, if it is not called {@link #ARGUMENT}
     * @param required whether a body is sent even without an argument
     * @param encodings of members of a form
     * @param omitted members of the whole body that are not sent, because only responses have them
     */
    record RequestBodySpec(
            String contentType,
            @Nullable List<String> members,
            @Nullable String argument,
            @Nullable Boolean required,
            @Nullable Map<String, Encoding> encodings,
            @Nullable List<String> omitted) {
        static final String ARGUMENT = "body";

        String bodyArgument() {
            return argument == null ? ARGUMENT : argument;
        }

        @Nullable
        Encoding encoding(String member) {
            return encodings == null ? null : encodings.get(member);
        }

        boolean isForm() {
            return MediaTypes.plain(contentType).equals(MediaTypes.FORM);
        }

        boolean isJson() {
            return MediaTypes.isJson(contentType);
        }
    }
}
