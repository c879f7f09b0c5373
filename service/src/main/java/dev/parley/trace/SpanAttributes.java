package dev.parley.trace;

/**
 * The names of attributes. Those of {@code gen_ai} are of version 1.37 of OpenTelemetry's semantic conventions, in which
 * they are in development: no other class contains such a name.
 */
public final class SpanAttributes {
    public static final String ORGANIZATION = "parley.organization.id";
    public static final String CONVERSATION = "parley.conversation.id";
    public static final String MESSAGE = "parley.message.id";
    public static final String WORKFLOW = "parley.workflow.id";
    public static final String WORKFLOW_VERSION = "parley.workflow.version";
    public static final String INSTANCE = "parley.workflow_instance.id";
    public static final String INSTANCE_STATUS = "parley.workflow_instance.status";
    public static final String TASK = "parley.task.id";
    public static final String TASK_KIND = "parley.task.kind";
    public static final String TASK_ATTEMPT = "parley.task.attempt";
    public static final String TICKET_END = "parley.ticket.end";
    public static final String EVENT = "parley.event.id";
    public static final String EVENT_TYPE = "parley.event.type";
    public static final String RECEIVER = "parley.webhook.receiver";
    public static final String DELIVERY_ATTEMPT = "parley.webhook.attempt";
    public static final String MODEL_ALIAS = "parley.model.alias";

    public static final String REQUEST_METHOD = "http.request.method";
    public static final String RESPONSE_STATUS = "http.response.status_code";
    public static final String URL_PATH = "url.path";
    public static final String SERVER_ADDRESS = "server.address";
    public static final String ERROR_TYPE = "error.type";

    public static final String OPERATION = "gen_ai.operation.name";
    public static final String PROVIDER = "gen_ai.provider.name";
    public static final String REQUEST_MODEL = "gen_ai.request.model";
    public static final String REQUEST_TEMPERATURE = "gen_ai.request.temperature";
    public static final String REQUEST_MAX_TOKENS = "gen_ai.request.max_tokens";
    public static final String RESPONSE_MODEL = "gen_ai.response.model";
    public static final String FINISH_REASONS = "gen_ai.response.finish_reasons";
    public static final String INPUT_TOKENS = "gen_ai.usage.input_tokens";
    public static final String OUTPUT_TOKENS = "gen_ai.usage.output_tokens";
    public static final String AGENT_NAME = "gen_ai.agent.name";
    public static final String TOOL_NAME = "gen_ai.tool.name";

    /** Contents, which are recorded only if {@link Tracing#recordsContents}. */
    public static final String INSTRUCTIONS = "gen_ai.system_instructions";

    public static final String INPUT_MESSAGES = "gen_ai.input.messages";
    public static final String OUTPUT_MESSAGES = "gen_ai.output.messages";
    public static final String TOOL_ARGUMENTS = "gen_ai.tool.call.arguments";
    public static final String TOOL_RESULT = "gen_ai.tool.call.result";

    private SpanAttributes() {}
}
