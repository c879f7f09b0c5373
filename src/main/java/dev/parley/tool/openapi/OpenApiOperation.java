package dev.parley.tool.openapi;

import java.util.List;
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

    /**
     * The request body. Bindings stored by earlier builds lack the last two components.
     *
     * @param contentType as sent
     * @param members the arguments that are members of the body; null if one argument is the whole body
     * @param argument the argument that is the whole body, if it is not called {@link #ARGUMENT}
     * @param required whether a body is sent even without an argument
     */
    record RequestBodySpec(
            String contentType,
            @Nullable List<String> members,
            @Nullable String argument,
            @Nullable Boolean required) {
        static final String ARGUMENT = "body";

        String bodyArgument() {
            return argument == null ? ARGUMENT : argument;
        }

        boolean isForm() {
            return MediaTypes.plain(contentType).equals(MediaTypes.FORM);
        }

        boolean isJson() {
            return MediaTypes.isJson(contentType);
        }
    }
}
