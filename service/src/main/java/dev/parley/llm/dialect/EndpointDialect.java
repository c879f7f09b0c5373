package dev.parley.llm.dialect;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How requests are adapted to an endpoint and its model. A request that is refused is repeated with a change, and if that
 * helps, later requests have it too. This is forgotten after an hour, because the refusal may have had another reason.
 * What a refusal may owe to a schema, or to members of messages, is remembered for these alone: the requests of one
 * organization never change those of others.
 */
public final class EndpointDialect {
    static final Duration MEMORY = Duration.ofHours(1);
    static final int MAX_REMEMBERED = 10_000;

    /** A change of a request. */
    public enum Adaptation {
        /** Schemas of tools have only the keywords that every endpoint knows. */
        PLAIN_TOOL_SCHEMAS,
        /** The schema is sent without the member {@code strict}. */
        NO_STRICT,
        /** The response format is {@code json_object}, and a prompt has the schema. */
        JSON_OBJECT,
        /** There is no response format; only a prompt has the schema. */
        PROMPT_ONLY,
        /** The model's own messages are sent without the members that OpenAI's API does not have. */
        NO_EXTRA_MEMBERS,
        /** The model's own messages have the member {@code reasoning_content}, if need be empty. */
        REASONING_MEMBER,
        /** The ids of tool calls are replaced by nine letters and digits. */
        SHORT_CALL_IDS,
        /** Content beside tool calls is empty instead of null. */
        EMPTY_CONTENT,
        /** The user's first turn begins with the system prompt. */
        NO_SYSTEM_ROLE,
        /** The limit of the reply is {@code max_completion_tokens} instead of {@code max_tokens}. */
        MAX_COMPLETION_TOKENS,
        /** The endpoint's own limit of the reply. */
        NO_MAX_TOKENS,
        NO_TOP_P,
        NO_TEMPERATURE,
        /** A budget of tokens instead of the effort of reasoning. */
        REASONING_BUDGET,
        NO_REASONING_EFFORT,
        NO_STOP,
        /** The model is asked, and not forced, to call the tool that takes the answer. */
        UNFORCED_ANSWER,
        /** The stream is not asked for the usage. */
        NO_STREAM_OPTIONS,
        /** The reply arrives whole. */
        WHOLE_REPLY,
        /** The request has no member {@code stream}. */
        NO_STREAM
    }

    /**
     * The parts of a request that an endpoint may refuse.
     *
     * @param schema a hash of the schema; empty for none
     * @param tools a hash of the tools; empty for none
     * @param extraMembers the names of members that only this endpoint has
     * @param options how the reply is generated, by OpenAI's names
     */
    public record RequestTraits(
            String schema,
            String tools,
            boolean hasToolCalls,
            boolean hasSystem,
            Set<String> extraMembers,
            Map<String, Object> options) {
        public RequestTraits {
            extraMembers = Set.copyOf(extraMembers);
            options = Map.copyOf(options);
        }

        private Object option(String name) {
            return options.getOrDefault(name, "");
        }
    }

    /** @param part the part of the request that the endpoint may have refused; empty for what all requests have */
    private record RefusalKey(Adaptation adaptation, Object part) {}

    /** Formats are refused beside tools by endpoints that accept them otherwise. */
    private record FormatPart(String schema, boolean hasTools) {}

    private static final Pattern FORMAT_WORDS =
            Pattern.compile("response[_ ]format|responseformat|response_schema|response(?: mime |_mime_)type"
                    + "|json[_ ](?:schema|mode)|json_object|json format|structured[_ ]output|guided|grammar"
                    + "|requested parameters|invalid schema|invalid_json_schema|schema is invalid");

    private static final Pattern TOOL_SCHEMA_WORDS =
            Pattern.compile("function_declarations|schema for function|tool schema|tools[\\[.]|input_schema"
                    + "|function[. ]parameters");

    /** The model has answered, but not in the format. The rest of such a text is the model's. */
    private static final Pattern ANSWER_WORDS =
            Pattern.compile("failed_generation|json_validate_failed|tool_use_failed|output_parse_failed");

    private static final String MAX_TOKENS = "max_tokens";
    private static final String TOP_P = "top_p";
    private static final String TEMPERATURE = "temperature";
    private static final String EFFORT = "reasoning_effort";
    private static final String STOP = "stop";

    private static final Pattern EFFORT_WORDS =
            Pattern.compile("reasoning[_ .]effort|thinking|budget_tokens|output_config|adaptive");

    private static final Pattern STOP_WORDS =
            Pattern.compile("['\"`]stop['\"`]|stop[_ ]sequences?|stop words?|parameter:? stop|^stop:|[:.] stop:");

    private static final Pattern QUOTED_STREAM = Pattern.compile("['\"`]stream['\"`]");

    private static final Pattern STREAM_WORDS = Pattern.compile(
            QUOTED_STREAM + "|\\bstream(?:ing|ed)?(?: \\w+)? (?:is|are|was|must|cannot|can"
                    + " not|should|requests? (?:is|are))\\b|support (?:for )?stream|(?:disable|without|unsupported:?) stream|stream[ =:]+true|^stream:");

    /**
     * In the words of OpenAI, Azure, vLLM, llama.cpp, Ollama, LM Studio, Anthropic, Bedrock, Gemini, Mistral, Groq and
     * xAI.
     */
    private static final Pattern OVERFLOW_WORDS = Pattern.compile("context_length_exceeded|exceed_context_size"
            + "|(?:maximum|max) (?:context|model|prompt|input) length|context[ _](?:length|window|size|limit)"
            + "|(?:prompt|input|request|conversation) is too (?:long|large)|prompt too long|request_too_large"
            + "|input (?:token count|length)[^.]{0,60} exceed|reduce the length of the|loaded with context length"
            + "|model_context_window_exceeded|string_above_max_length|request too large for model");

    /** Reasons of refusals that no change helps against. */
    private static final Pattern OTHER_REASONS =
            Pattern.compile("context[_ ]length|maximum context|context window|too (?:long|large)|token limit"
                    + "|max_tokens|content_filter|content management policy|responsibleaipolicy|safety|api[_ ]?key"
                    + "|quota|billing|balance|credit|model_not_found|image");

    private final Cache<RefusalKey, Boolean> refused;

    public EndpointDialect(InstantSource clock) {
        refused = Caffeine.newBuilder()
                .maximumSize(MAX_REMEMBERED)
                .expireAfterWrite(MEMORY)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .build();
    }

    /** How to change a request at first. */
    public Set<Adaptation> adaptations(RequestTraits traits) {
        Set<Adaptation> adapted = EnumSet.allOf(Adaptation.class);
        adapted.removeIf(adaptation -> refused.getIfPresent(key(adaptation, traits)) == null);
        return adapted;
    }

    /** Whether the endpoint refuses what its model has answered; the same request may succeed. */
    public static boolean isFailedAnswer(String text) {
        return ANSWER_WORDS.matcher(text.toLowerCase(Locale.ROOT)).find();
    }

    /**
     * The next change after a refusal; empty if none would help.
     *
     * @param status 400, 422 and the like may mean any part; others only a part that the text names
     */
    public Optional<Adaptation> next(int status, String text, RequestTraits traits, Set<Adaptation> adapted) {
        if (status < 400 || status == 401 || status == 403 || status == 408 || status == 429) {
            return Optional.empty();
        }
        String reason = text.toLowerCase(Locale.ROOT);
        if (isContextOverflow(status, text)) {
            return Optional.empty();
        }
        if (isFailedAnswer(text)) {
            return reason.contains("json_validate_failed") ? weakerFormat(traits, adapted) : Optional.empty();
        }
        Optional<Adaptation> named = candidates(traits)
                .filter(one -> !adapted.contains(one) && isNamed(one, reason, traits))
                .findFirst();
        if (named.isPresent()) {
            return named;
        }
        boolean unclear = (status == 400 || status == 422)
                && !OTHER_REASONS.matcher(reason).find();
        return unclear
                ? weakerFormat(traits, adapted)
                        .or(() -> adapted.contains(Adaptation.WHOLE_REPLY)
                                ? Optional.empty()
                                : Optional.of(Adaptation.WHOLE_REPLY))
                : Optional.empty();
    }

    private static Optional<Adaptation> weakerFormat(RequestTraits traits, Set<Adaptation> adapted) {
        return Stream.of(Adaptation.JSON_OBJECT, Adaptation.PROMPT_ONLY)
                .filter(one -> !traits.schema.isEmpty() && !adapted.contains(one))
                .findFirst();
    }

    /** Whether the endpoint refuses a request because it is longer than the model can read. */
    public static boolean isContextOverflow(int status, String text) {
        return status == 413
                || (status != 429
                        && OVERFLOW_WORDS.matcher(text.toLowerCase(Locale.ROOT)).find());
    }

    /** Called when an endpoint has accepted a request with a change that it refused without. */
    public void accepted(RequestTraits traits, Collection<Adaptation> added) {
        added.forEach(adaptation -> refused.put(key(adaptation, traits), true));
    }

    /** Called when an endpoint refuses a request for good that had these changes. */
    public void refused(RequestTraits traits, Set<Adaptation> adapted) {
        adapted.forEach(adaptation -> refused.invalidate(key(adaptation, traits)));
    }

    private static Stream<Adaptation> candidates(RequestTraits traits) {
        return Stream.of(Adaptation.values()).filter(one -> switch (one) {
            case PLAIN_TOOL_SCHEMAS -> !traits.tools.isEmpty();
            case NO_STRICT, JSON_OBJECT, PROMPT_ONLY -> !traits.schema.isEmpty();
            case NO_EXTRA_MEMBERS -> !traits.extraMembers().isEmpty();
            case SHORT_CALL_IDS, EMPTY_CONTENT -> traits.hasToolCalls();
            case NO_SYSTEM_ROLE -> traits.hasSystem();
            case MAX_COMPLETION_TOKENS -> traits.options.containsKey(MAX_TOKENS);
            case NO_TOP_P -> traits.options.containsKey(TOP_P);
            case NO_TEMPERATURE -> traits.options.containsKey(TEMPERATURE);
            case REASONING_BUDGET, NO_REASONING_EFFORT -> traits.options.containsKey(EFFORT);
            case NO_STOP -> traits.options.containsKey(STOP);
            case UNFORCED_ANSWER -> !traits.schema.isEmpty();
            case REASONING_MEMBER, NO_MAX_TOKENS, NO_STREAM_OPTIONS, WHOLE_REPLY, NO_STREAM -> true;
        });
    }

    private static boolean isNamed(Adaptation adaptation, String reason, RequestTraits traits) {
        return switch (adaptation) {
            case PLAIN_TOOL_SCHEMAS -> TOOL_SCHEMA_WORDS.matcher(reason).find();
            case NO_STRICT -> reason.matches("(?s).*\\bstrict\\b.*") && !reason.contains("strict mode");
            case JSON_OBJECT, PROMPT_ONLY -> FORMAT_WORDS.matcher(reason).find();
            case NO_EXTRA_MEMBERS ->
                traits.extraMembers().stream()
                        .anyMatch(name -> reason.contains(name.toLowerCase(Locale.ROOT)) && !isMissing(reason));
            case REASONING_MEMBER -> reason.contains("reasoning_content") && isMissing(reason);
            case SHORT_CALL_IDS -> reason.contains("tool call id") && reason.contains("9");
            case EMPTY_CONTENT ->
                reason.contains("content")
                        && Stream.of("null", "none", "nil", "missing", "required", "string", "empty", "invalid")
                                .anyMatch(reason::contains);
            case NO_SYSTEM_ROLE ->
                (reason.contains("system")
                                && Stream.of("role", "system message", "system prompt")
                                        .anyMatch(reason::contains))
                        || reason.contains("must alternate")
                        || reason.contains("only user and assistant roles");
            case MAX_COMPLETION_TOKENS -> reason.contains("max_completion_tokens");
            case NO_MAX_TOKENS -> reason.contains(MAX_TOKENS) || reason.contains("max_completion_tokens");
            case NO_TOP_P -> reason.contains(TOP_P);
            case NO_TEMPERATURE -> reason.contains(TEMPERATURE);
            case REASONING_BUDGET -> reason.contains("adaptive") || reason.contains("output_config");
            case NO_REASONING_EFFORT -> EFFORT_WORDS.matcher(reason).find();
            case NO_STOP -> STOP_WORDS.matcher(reason).find();
            case UNFORCED_ANSWER -> reason.contains("tool_choice");
            case NO_STREAM_OPTIONS -> reason.contains("stream_options") || reason.contains("include_usage");
            case WHOLE_REPLY -> STREAM_WORDS.matcher(reason).find();
            case NO_STREAM -> QUOTED_STREAM.matcher(reason).find();
        };
    }

    private static boolean isMissing(String reason) {
        return Stream.of("missing", "is required", "must be provided", "must be passed", "passed back")
                .anyMatch(reason::contains);
    }

    private static RefusalKey key(Adaptation adaptation, RequestTraits traits) {
        Object part =
                switch (adaptation) {
                    case PLAIN_TOOL_SCHEMAS -> traits.tools;
                    case NO_STRICT, JSON_OBJECT, PROMPT_ONLY -> new FormatPart(traits.schema, !traits.tools.isEmpty());
                    case NO_EXTRA_MEMBERS -> traits.extraMembers;
                    case MAX_COMPLETION_TOKENS -> "";
                    case NO_MAX_TOKENS -> traits.option(MAX_TOKENS);
                    case NO_TOP_P -> traits.option(TOP_P);
                    case NO_TEMPERATURE -> traits.option(TEMPERATURE);
                    case REASONING_BUDGET, NO_REASONING_EFFORT -> traits.option(EFFORT);
                    case NO_STOP -> traits.option(STOP);
                    case UNFORCED_ANSWER -> traits.option(EFFORT);
                    case REASONING_MEMBER,
                            SHORT_CALL_IDS,
                            EMPTY_CONTENT,
                            NO_SYSTEM_ROLE,
                            NO_STREAM_OPTIONS,
                            WHOLE_REPLY,
                            NO_STREAM -> "";
                };
        return new RefusalKey(adaptation, part);
    }
}
