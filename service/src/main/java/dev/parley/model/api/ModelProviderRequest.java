package dev.parley.model.api;

import dev.parley.egress.EgressException;
import dev.parley.egress.EgressRules;
import dev.parley.egress.EgressUrl;
import dev.parley.http.RequestValidator;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.constraint.Name;
import dev.parley.llm.protocol.ModelEndpoint;
import dev.parley.model.ModelProvider;
import dev.parley.model.ModelSecrets;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The request to create a provider of models, or to change some of its fields. */
@FurtherChecks
@Schema(name = "NewModelProvider")
public record ModelProviderRequest(
        @Name @Schema(description = "Required for a new provider", examples = "OpenAI") @Nullable
        String name,

        @Schema(
                description = "openai for every service with OpenAI's chat completions API. Required for a new "
                        + "provider, and cannot be changed",
                enumeration = {"openai", "anthropic"},
                examples = "openai")
        @Nullable
        String kind,

        @Schema(description = "Required for a new provider", examples = "https://api.openai.com/v1") @Nullable
        String baseUrl,

        @Schema(
                description = "The API key. Never returned; an empty text removes it. Required for a change of the "
                        + "base URL's scheme, host or port if one is stored",
                pattern = SECRET)
        @Nullable
        String credential,

        @Schema(
                description = "Additional headers, at most 20, replacing all. Their values are never returned, like "
                        + "the credential",
                nullable = true)
        @Nullable
        Map<String, @Nullable String> headers,

        @Schema(
                description = "api-version of Azure, anthropic-version of Anthropic; an empty text removes it",
                pattern = VERSION,
                examples = "2024-10-21")
        @Nullable
        String apiVersion) {
    static final List<String> KINDS = List.of("openai", "anthropic");

    private static final int MAX_HEADERS = 20;
    private static final String SECRET = "^[ -~]{0,8000}$";
    private static final String VERSION = "^[A-Za-z0-9.-]{0,40}$";
    private static final Pattern IS_SECRET = Pattern.compile(SECRET);

    /** A checked provider. */
    record CheckedProvider(
            String name,
            String kind,
            String baseUrl,
            EgressUrl url,
            @Nullable String apiVersion,
            ModelSecrets secrets) {
        boolean isSame(ModelProvider before, ModelSecrets stored) {
            return name.equals(before.name())
                    && baseUrl.equals(before.baseUrl())
                    && Objects.equals(apiVersion, before.apiVersion())
                    && secrets.equals(stored);
        }
    }

    /**
     * The provider after the change; a 400 names the violations.
     *
     * @param before null for a new one
     * @param stored the secrets of that one
     */
    CheckedProvider checked(@Nullable ModelProvider before, ModelSecrets stored, EgressRules rules)
            throws InterruptedException {
        var validator = RequestValidator.of(this);
        String newName = text(name, before == null ? null : before.name(), "/name", validator);
        validator.require(
                newName.strip().equals(newName),
                ViolationCode.INVALID_FORMAT,
                "/name",
                "'/name' must not begin or end with a space.");
        String newKind = text(kind, before == null ? null : before.kind(), "/kind", validator);
        validator.require(
                kind == null || KINDS.contains(kind),
                ViolationCode.NOT_ONE_OF,
                "/kind",
                "'/kind' must be openai or anthropic.",
                Map.of("allowed", KINDS));
        validator.require(
                before == null || newKind.equals(before.kind()),
                ViolationCode.NOT_ALLOWED,
                "/kind",
                "'/kind' cannot be changed.");
        String newUrl = text(baseUrl, before == null ? null : before.baseUrl(), "/base_url", validator);
        if (baseUrl != null) {
            Optional<String> violation = rules.checkResolving(baseUrl);
            validator.require(violation.isEmpty(), ViolationCode.UNREACHABLE, "/base_url", violation.orElse(""));
        }
        String newVersion = apiVersion == null ? before == null ? null : before.apiVersion() : apiVersion;
        validator.require(
                newVersion == null || newVersion.matches(VERSION),
                ViolationCode.INVALID_FORMAT,
                "/api_version",
                "'/api_version' must have at most 40 letters, digits, hyphens and dots.");
        checkSecret(credential, "/credential", validator);
        checkHeaders(validator);
        validator.done();
        EgressUrl url = parsed(newUrl);
        if (before != null && !parsed(before.baseUrl()).origin().equals(url.origin())) {
            requireAgain(stored.credential() != null && credential == null, "/credential", validator);
            requireAgain(!stored.headers().isEmpty() && headers == null, "/headers", validator);
            validator.done();
        }
        return new CheckedProvider(
                newName,
                newKind,
                newUrl,
                url,
                newVersion == null || newVersion.isEmpty() ? null : newVersion,
                secrets(stored));
    }

    private static String text(
            @Nullable String given, @Nullable String before, String path, RequestValidator validator) {
        String value = given == null ? before : given;
        if (value == null) {
            validator.add(Violation.missing(path));
        }
        return Objects.requireNonNullElse(value, "");
    }

    /** Stored secrets are never returned, so they must not be sent to another host than they were given for. */
    private static void requireAgain(boolean isStored, String path, RequestValidator validator) {
        validator.require(
                !isStored,
                ViolationCode.REQUIRED,
                path,
                "'" + path + "' must be given again: the stored one would be sent to another host than before.");
    }

    @SuppressWarnings("NullAway") // The check has found null values.
    private ModelSecrets secrets(ModelSecrets stored) {
        String key = credential == null ? stored.credential() : credential;
        return new ModelSecrets(
                key == null || key.isEmpty() ? null : key, headers == null ? stored.headers() : Map.copyOf(headers));
    }

    private void checkHeaders(RequestValidator validator) {
        if (headers == null) {
            return;
        }
        validator.require(
                headers.size() <= MAX_HEADERS,
                ViolationCode.TOO_MANY,
                "/headers",
                "'/headers' has at most " + MAX_HEADERS + " members.",
                Map.of("max", MAX_HEADERS));
        headers.forEach((header, value) -> {
            String path = Violation.member("/headers", header);
            Optional<String> fault = ModelEndpoint.headerFault(header, value == null ? "\n" : value);
            validator.require(fault.isEmpty(), ViolationCode.INVALID_FORMAT, path, fault.orElse(""));
        });
    }

    private static void checkSecret(@Nullable String value, String path, RequestValidator validator) {
        validator.require(
                value == null || IS_SECRET.matcher(value).matches(),
                ViolationCode.INVALID_FORMAT,
                path,
                "'" + path + "' must have at most 8000 visible ASCII characters.");
    }

    private static EgressUrl parsed(String url) {
        try {
            return EgressUrl.parse(url);
        } catch (EgressException invalid) {
            throw new IllegalStateException(invalid); // It has been checked.
        }
    }

    /** Omits the secrets. */
    @Override
    public String toString() {
        return "ModelProviderRequest[" + name + "]";
    }
}
