package dev.parley.tool.openapi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an operation is called: what is kept with the tool beside its schema.
 *
 * @param server URL of the web API, without a slash at the end
 * @param path template such as {@code /pets/{petId}}
 * @param keyName name of the API key by the description; null where it has none
 * @param keyIn where that key belongs: header, query or cookie
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
     * @param argument the tool's name for it
     * @param name the web API's name for it
     * @param in where it goes
     * @param style of OpenAPI, such as form or deepObject; or that its text is JSON
     * @param explode whether the items of an array, or the members of an object, are written out one by one
     */
    record Parameter(String argument, String name, String in, String style, boolean explode) {
        /** The style of what OpenAPI describes by a media type in the place of a style. */
        static final String JSON = "json";
    }

    /**
     * What is sent. Bindings that were stored before have nothing at the last two.
     *
     * @param contentType as it is sent
     * @param members the arguments that are members of the body; null when one argument is all of it
     * @param argument the one argument that is all of it, where it is not called {@link #ARGUMENT}
     * @param required whether it is sent also when nothing is given for it
     */
    record RequestBodySpec(
            String contentType,
            @Nullable List<String> members,
            @Nullable String argument,
            @Nullable Boolean required) {
        static final String ARGUMENT = "body";

        String whole() {
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
