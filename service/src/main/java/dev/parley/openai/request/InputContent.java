package dev.parley.openai.request;

import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The content of a message: its texts, and its images and files by URL.
 *
 * @param files with the pointers of their parts
 */
public record InputContent(String text, List<InputFile> files) {
    private static final List<String> TYPES =
            List.of("text", "input_text", "output_text", "refusal", "image_url", "input_image", "file", "input_file");

    private static final List<String> SCHEMES = List.of("data:", "s3://", "https://", "http://");

    /**
     * A file.
     *
     * @param path JSON Pointer of its URL, for violations
     */
    public record InputFile(String path, String url, String name) {
        /** The 400 for a file that cannot be used. */
        public ApiProblem unreadable(String detail) {
            return ApiProblem.invalid(Violation.invalid(ViolationCode.UNREADABLE, path, detail));
        }
    }

    /** Reads a member that is a text or an array of parts; both dialects' parts have different types. */
    public static InputContent of(RequestFields owner, String name) {
        if (!owner.isList(name)) {
            return new InputContent(owner.text(name).orElse(""), List.of());
        }
        List<String> texts = new ArrayList<>();
        List<InputFile> files = new ArrayList<>();
        for (RequestFields part : owner.objects(name)) {
            switch (part.required("type")) {
                case "text", "input_text", "output_text" -> texts.add(part.required("text"));
                case "refusal" -> texts.add(part.required("refusal"));
                case "image_url" ->
                    files.add(file(
                            part.object("image_url").orElseThrow(() -> part.wrongType("image_url", "an object")),
                            "url"));
                case "input_image" -> files.add(file(part, "image_url", "file_id"));
                case "file" ->
                    files.add(file(
                            part.object("file").orElseThrow(() -> part.wrongType("file", "an object")),
                            "file_data",
                            "file_id"));
                case "input_file" -> files.add(file(part, "file_url", "file_data", "file_id"));
                default -> throw part.notOneOf("type", TYPES);
            }
        }
        return new InputContent(String.join("\n", texts), List.copyOf(files));
    }

    /** The file of the first of these members that is given. */
    private static InputFile file(RequestFields part, String... names) {
        for (String name : names) {
            Optional<String> url = part.text(name);
            if (url.isPresent()) {
                part.require(
                        SCHEMES.stream().anyMatch(url.get()::startsWith),
                        ViolationCode.INVALID_FORMAT,
                        name,
                        "must be a data:, https:, http: or s3: URL; uploaded files have s3: URLs.");
                return new InputFile(
                        part.path(name), url.get(), part.text("filename").orElse("file"));
            }
        }
        throw part.wrongType(names[0], "a string");
    }
}
