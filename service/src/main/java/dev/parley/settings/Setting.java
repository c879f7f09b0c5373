package dev.parley.settings;

/**
 * Every setting of the service, each an environment variable, with its default and its purpose. The tables in
 * docs/reference/settings.md have these texts, and {@link Settings} has the typed values.
 */
public enum Setting {
    PARLEY_HOST("0.0.0.0", "Address the service listens on."),
    PARLEY_PORT("8080", "Port the service listens on; `0` selects a free one."),
    PARLEY_PUBLIC_URL(
            "",
            "URL under which clients and users reach the service; default `http://localhost:<port>`. "
                    + "With `https://` the session cookie is Secure."),
    PARLEY_DATA("data", "Directory of the embedded PostgreSQL, the files and the generated secrets."),
    PARLEY_FILES(
            "",
            "Directory of the uploaded and generated files, which several nodes share. Empty: `PARLEY_DATA/files`."),
    PARLEY_DB_URL(
            "",
            "An external PostgreSQL 15 or later, as `postgresql://user:password@host:5432/database` or a JDBC "
                    + "URL. Empty or `embedded`: the embedded one under `PARLEY_DATA`."),
    PARLEY_DB_USER("", "User for `PARLEY_DB_URL`, if the URL does not contain it."),
    PARLEY_DB_PASSWORD("", "Password for `PARLEY_DB_URL`, if the URL does not contain it."),
    PARLEY_DB_POOL(
            "",
            "Connections to PostgreSQL of the common pool, 4 to 1000; a few reserved ones come on top. "
                    + Setting.SIZED),
    PARLEY_DB_SHARED_BUFFERS("", "`shared_buffers` of the embedded PostgreSQL in MiB, 16 to 65536. " + Setting.SIZED),
    PARLEY_SECRET(
            "",
            "Master key of at least 32 characters for hashing and encryption, the same on every node. Empty: generated "
                    + "once and stored in `PARLEY_DATA/secret`."),
    PARLEY_DEMO("false", "`true` creates the demo organization on the first start (`./parley start` sets it)."),
    PARLEY_ADMIN_EMAIL("", "With `PARLEY_ADMIN_PASSWORD`: creates the first user, an operator, if there is none."),
    PARLEY_ADMIN_PASSWORD("", "See `PARLEY_ADMIN_EMAIL`; at least 8 characters."),
    PARLEY_OIDC_ISSUER(
            "",
            "Issuer of an OpenID Connect provider, such as `https://login.example/realms/acme`, that users may sign in "
                    + "with in addition to passwords ([setup](../operations.md#signing-in-by-openid-connect))."),
    PARLEY_OIDC_CLIENT_ID("", "Client id of this service at the provider; required with `PARLEY_OIDC_ISSUER`."),
    PARLEY_OIDC_CLIENT_SECRET("", "Secret of `PARLEY_OIDC_CLIENT_ID`; required with `PARLEY_OIDC_ISSUER`."),
    PARLEY_OIDC_NAME("single sign-on", "Name of the provider on the button of the sign-in page."),
    PARLEY_OIDC_DOMAINS(
            "",
            "Email domains, comma separated, whose users may register themselves; they become members of "
                    + "`PARLEY_OIDC_ORGANIZATION`. Empty: only users with an account or an invitation can sign in."),
    PARLEY_OIDC_ORGANIZATION(
            "", "Id of the organization for `PARLEY_OIDC_DOMAINS`; required with `PARLEY_OIDC_DOMAINS`."),
    PARLEY_OIDC_TRUSTED_DOMAINS(
            "",
            "Email domains, comma separated, whose addresses count as verified if the provider does not say whether they "
                    + "are, as Entra ID ([when to set it](../guides/sign-in.md#verified-addresses)). Only for a provider "
                    + "whose administrators assign the addresses."),
    PARLEY_LLM_BASE_URL(
            "", "An OpenAI-compatible endpoint such as `https://llm.example/v1`. Empty: the offline model."),
    PARLEY_LLM_API_KEY("", "API key for `PARLEY_LLM_BASE_URL`."),
    PARLEY_LLM_MODEL("", "Model name for `PARLEY_LLM_BASE_URL`; required with it."),
    PARLEY_LLM_TIMEOUT(
            "120s",
            "How long a chat model may be silent, before its reply and within; limit of a reply that is not streamed,"
                    + " 1s to 10m. A chat reply may take five times as long in all."),
    PARLEY_LLM_RETRY_TIME(
            "15m", "How long a chat message waits for a chat model that is busy or cannot be reached, 0s to 24h."),
    PARLEY_LLM_INPUT_PRICE(
            "0", "Price of a million input tokens of the chat model, in `PARLEY_LLM_CURRENCY`; for the cost of tasks."),
    PARLEY_LLM_OUTPUT_PRICE("0", "Price of a million output tokens of the chat model."),
    PARLEY_LLM_CURRENCY("USD", "Currency of the prices, as an ISO 4217 code such as `EUR`."),
    PARLEY_EGRESS_ALLOW(
            "",
            "Hosts and CIDR ranges, comma separated, that outgoing connections may reach even if they "
                    + "are not public (`./parley start` sets it to loopback)."),
    PARLEY_TRUSTED_PROXIES(
            "",
            "Addresses and CIDR ranges, comma separated, of the proxies in front of the service: `X-Forwarded-For`, "
                    + "`X-Forwarded-Proto` and `Forwarded` are accepted from them only. Empty: these headers are "
                    + "ignored."),
    PARLEY_SMTP_HOST(
            "",
            "SMTP server for outgoing emails. Empty: they are held, and admins can read them; an invitation's link is "
                    + "returned to the inviting admin and proves no address."),
    PARLEY_SMTP_MODE(
            "starttls",
            "`starttls` (required: nothing is sent if the server does not support it), `tls`, or `plain` for a "
                    + "server on the same machine."),
    PARLEY_SMTP_PORT("", "Port of the SMTP server; default 587 with `starttls`, 465 with `tls`, 25 with `plain`."),
    PARLEY_SMTP_USER("", "User for the SMTP server. Empty: no authentication."),
    PARLEY_SMTP_PASSWORD("", "Password of `PARLEY_SMTP_USER`."),
    PARLEY_SMTP_SENDER(
            "",
            "Sender of the emails, as `parley@example.org` or `Parley <parley@example.org>`; required with a host."),
    PARLEY_SMTP_TIMEOUT(
            "20s", "Time-out for connecting to the SMTP server, for each of its responses and for each write."),
    PARLEY_MAX_UPLOAD_MB("100", "Maximum size of an uploaded or generated file in megabytes, 1 to 5000."),
    PARLEY_S3_BUCKET("", "Bucket of an S3-compatible store for files. Empty: files are stored in `PARLEY_FILES`."),
    PARLEY_S3_ENDPOINT("", "URL of the store, such as `https://minio.example:9000`. Empty: AWS."),
    PARLEY_S3_REGION("us-east-1", "Region of the store."),
    PARLEY_S3_PATH_STYLE(
            "false", "`true` puts the bucket into the path instead of the host name, as many stores require."),
    PARLEY_S3_ACCESS_KEY("", "Access key of the store. Empty: credentials of the AWS environment, such as a role."),
    PARLEY_S3_SECRET_KEY("", "Secret key for `PARLEY_S3_ACCESS_KEY`."),
    PARLEY_DATA_LAKE_S3(
            "",
            "Prefixes that data lakes may read, comma separated, as `<organization id>=s3://bucket/prefix/`, or "
                    + "`*=…` for every organization ([setup](../operations.md#data-lakes-from-s3)). Does not "
                    + "require `PARLEY_S3_BUCKET`."),
    PARLEY_MESSAGES_PER_MINUTE("100", "Messages per minute for organizations without their own limit."),
    PARLEY_RUNNING_INSTANCES("200", "Maximum number of running workflow instances per organization."),
    PARLEY_ENGINE(
            "local",
            "Engine that runs workflow instances: `local` on the nodes of this service, `restate` on a Restate server "
                    + "([guide](../restate.md))."),
    PARLEY_RESTATE_INGRESS_URL("", "Restate's ingress. Required for `restate`."),
    PARLEY_RESTATE_ADMIN_URL("", "Restate's admin API, at which nodes register. Required for `restate`."),
    PARLEY_RESTATE_ENDPOINT_HOST("127.0.0.1", "Address on which a node listens for calls of Restate."),
    PARLEY_RESTATE_ENDPOINT_PORT("9080", "Port on which a node listens for calls of Restate."),
    PARLEY_RESTATE_ENDPOINT_URL(
            "",
            "Address at which Restate reaches that port, or a balancer (HTTP/2) before those of all nodes. Empty: the "
                    + "port on this machine."),
    PARLEY_RESTATE_IDENTITY_KEY(
            "",
            "Public key with which Restate signs its calls, `publickeyv1_…`. Required unless the endpoint listens on "
                    + "this machine only."),
    PARLEY_INSTANCE_TIME_LIMIT("7d", "Time after which an unfinished instance is TERMINATED."),
    PARLEY_AI_TIME_LIMIT("5m", "Time limit for one attempt of an AI task."),
    PARLEY_AI_TASK_MODEL_CALLS(
            "50",
            "Maximum number of model calls of an AI task; for each item and iteration. Definitions may set less."),
    PARLEY_AI_TASK_TOOL_CALLS("20", "Maximum number of tool calls of an AI task, likewise."),
    PARLEY_AI_TASK_TOKENS("0", "Maximum number of tokens of an AI task, likewise; `0` for no limit."),
    PARLEY_AI_TASK_COST("0", "Maximum cost of an AI task, likewise, in `PARLEY_LLM_CURRENCY`; `0` for no limit."),
    PARLEY_AI_INSTANCE_MODEL_CALLS(
            "0",
            "Maximum number of model calls of all tasks of an instance; `0` for no limit. Definitions may set less."),
    PARLEY_AI_INSTANCE_TOOL_CALLS("0", "Maximum number of tool calls by models of an instance, likewise."),
    PARLEY_AI_INSTANCE_TOKENS("0", "Maximum number of tokens of an instance, likewise."),
    PARLEY_AI_INSTANCE_COST("0", "Maximum cost of the models of an instance, likewise."),
    PARLEY_CODER_SANDBOX(
            "auto",
            "`auto` isolates Coder tasks as far as the machine supports it; with `strict` the service does not start "
                    + "if bubblewrap or prlimit do not work."),
    PARLEY_CODER_TIME_LIMIT(
            "30s", "CPU time that the code of a Coder task may use, 1s to 10m. Time asleep counts too."),
    PARLEY_CODER_MEMORY("256", "Memory limit for the code of a Coder task in MiB, 128 to 4096."),
    PARLEY_CODER_OUTPUT("1024", "Maximum size of the JSON result of a Coder task in KiB, 1 to 8192."),
    PARLEY_CODER_PARALLEL("", "Coder tasks that a node runs concurrently, 1 to 64; others wait. " + Setting.SIZED),
    PARLEY_CODER_POOL(
            "",
            "Idle interpreters kept ready for each language in use, 0 to 16; each needs about 90 MiB. "
                    + Setting.SIZED),
    PARLEY_DOCUMENT_READERS(
            "", "Processes that read documents at the same time, 1 to 64; each needs up to 512 MiB. " + Setting.SIZED),
    PARLEY_APP_TIME_LIMIT("60s", "Time limit for one attempt of an App task."),
    PARLEY_EMAIL_TOOL_DOMAINS(
            "",
            "Domains, comma separated, to which the tool `email.send` may write in addition to the organization's "
                    + "members; `*` allows all (`./parley start` sets it if no SMTP server is configured)."),
    PARLEY_MCP_STDIO_COMMANDS(
            "",
            "Commands that tool providers may run as MCP servers, as `name=/path/to/program argument; …`. Admins of "
                    + "every organization may select them by name; no other commands are run."),
    PARLEY_NODE_LEASE(
            "10s", "Time without a heartbeat after which other nodes take over the work of a node, 2s to 60s."),
    PARLEY_STANDBY(
            "false",
            "`true` serves reads only: nothing is run and nothing is sent "
                    + "([drills](../guides/production.md#restore-and-drills))."),
    PARLEY_SHUTDOWN_DELAY(
            "1s",
            "Time between reporting the shutdown at `/health/ready` and rejecting requests, 0s to 5m: as long as a "
                    + "load balancer needs to notice."),
    PARLEY_CORES(
            "",
            "Number of cores that the service adapts to, 1 to 1024. Empty: those of the machine, or of its cgroup."),
    PARLEY_MEMORY(
            "",
            "Memory in MiB that the service adapts to, 256 to 16777216. Empty: that of the machine, or of its cgroup. It "
                    + "is a size to plan with, not a limit."),
    PARLEY_HEAP("", "Maximum size of the JVM's heap in MiB, 64 to 31744. " + Setting.SIZED),
    PARLEY_COLLECTOR("", "Garbage collector of the JVM: `serial`, `parallel` or `g1`. " + Setting.SIZED),
    PARLEY_DIRECT_MEMORY(
            "", "Limit of memory outside the heap for network buffers in MiB, 32 to 31744. " + Setting.SIZED),
    PARLEY_EVENT_LOOPS("", "Threads that read and write HTTP connections, 1 to 256. " + Setting.SIZED),
    PARLEY_COMMIT_WRITERS(
            "",
            "Concurrent transactions that store messages, 1 to 64; as many for the journal, and half as many for "
                    + "instances. " + Setting.SIZED),
    PARLEY_METRICS_PORT(
            "",
            "Port that serves `/metrics` and `/health` and nothing else; `PARLEY_PORT` then has no `/metrics`. Empty: "
                    + "`PARLEY_PORT` serves both."),
    PARLEY_METRICS_HOST("", "Address of `PARLEY_METRICS_PORT`. Empty: `PARLEY_HOST`."),
    PARLEY_METRICS_TOKEN(
            "",
            "Token of at least 16 characters that `/metrics` requires, as `Authorization: Bearer <token>`. Empty: no "
                    + "authentication."),
    PARLEY_BACKUP_PASSPHRASE(
            "",
            "Passphrase of at least 12 characters that encrypts [backups](../guides/production.md#backup) and opens them. "
                    + "Empty: they are not encrypted."),
    PARLEY_LOG_FORMAT("text", "`text` or `json`."),
    PARLEY_LOG_LEVEL("INFO", "`ERROR`, `WARN`, `INFO` or `DEBUG`."),
    PARLEY_LOG_REQUESTS("all", "`all` logs every request, `errors` only those with a status of 400 or above.");

    /** The default of what {@link ServiceSize} chooses. */
    private static final String SIZED = "Default: by the size of the machine ([table](../operations.md#size)).";

    private final String defaultValue;
    private final String purpose;

    Setting(String defaultValue, String purpose) {
        this.defaultValue = defaultValue;
        this.purpose = purpose;
    }

    public String defaultValue() {
        return defaultValue;
    }

    public String purpose() {
        return purpose;
    }

    /** Whether its value is, or may contain, a password or a key, and is never shown. */
    public boolean isSecret() {
        return switch (this) {
            case PARLEY_SECRET,
                    PARLEY_DB_URL,
                    PARLEY_DB_PASSWORD,
                    PARLEY_ADMIN_PASSWORD,
                    PARLEY_OIDC_CLIENT_SECRET,
                    PARLEY_LLM_API_KEY,
                    PARLEY_SMTP_PASSWORD,
                    PARLEY_S3_ACCESS_KEY,
                    PARLEY_S3_SECRET_KEY,
                    PARLEY_MCP_STDIO_COMMANDS,
                    PARLEY_METRICS_TOKEN,
                    PARLEY_BACKUP_PASSPHRASE -> true;
            default -> false;
        };
    }
}
