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
record Operation(
        String method,
        String server,
        String path,
        List<Parameter> parameters,
        @Nullable Body body,
        @Nullable String keyName,
        @Nullable String keyIn) {
    Operation {
        parameters = List.copyOf(parameters);
    }

    /**
     * A parameter of path, query, header or cookie.
     *
     * @param argument the tool's name for it
     * @param name the web API's name for it
     * @param in where it goes
     * @param style of OpenAPI, such as form or deepObject
     * @param explode whether each item of an array is written out as a parameter
     */
    record Parameter(String argument, String name, String in, String style, boolean explode) {}

    /**
     * What is sent.
     *
     * @param contentType as it is sent
     * @param members the arguments that are members of the body; null when the one argument {@code body} is all of it
     */
    record Body(String contentType, @Nullable List<String> members) {
        static final String ARGUMENT = "body";

        boolean isForm() {
            return contentType.equals("application/x-www-form-urlencoded");
        }

        boolean isJson() {
            return contentType.equals("application/json") || contentType.endsWith("+json");
        }
    }
}
