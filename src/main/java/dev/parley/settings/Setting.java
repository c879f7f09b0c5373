package dev.parley.settings;

/**
 * Every setting of the service, each an environment variable, with its default and what it is for. The README's table
 * is made from this list, and {@link Settings} reads it.
 */
public enum Setting {
    PARLEY_HOST("0.0.0.0", "Address the service listens on."),
    PARLEY_PORT("8080", "Port the service listens on; `0` takes a free one."),
    PARLEY_PUBLIC_URL(
            "",
            "Address under which clients and people reach the service; default `http://localhost:<port>`. "
                    + "With `https://` the session cookie is Secure."),
    PARLEY_DATA("data", "Directory of the embedded PostgreSQL, the files and the generated secrets."),
    PARLEY_DB_URL(
            "",
            "An external PostgreSQL 15 or later, as `postgresql://user:password@host:5432/database` or a JDBC "
                    + "URL. Empty: the embedded one under `PARLEY_DATA`."),
    PARLEY_DB_USER("", "User for `PARLEY_DB_URL`, when the URL does not name it."),
    PARLEY_DB_PASSWORD("", "Password for `PARLEY_DB_URL`, when the URL does not hold it."),
    PARLEY_DB_POOL("12", "Connections to PostgreSQL, 4 to 200."),
    PARLEY_SECRET(
            "",
            "At least 32 characters; pepper of API keys and sessions, the same on every node. Empty: generated "
                    + "once into `PARLEY_DATA/secret`."),
    PARLEY_DEMO("false", "`true` makes the demo organization on first start (`./parley start` sets it)."),
    PARLEY_ADMIN_EMAIL("", "With `PARLEY_ADMIN_PASSWORD`: makes the first user, an operator, when there is none yet."),
    PARLEY_ADMIN_PASSWORD("", "See `PARLEY_ADMIN_EMAIL`; at least 8 characters."),
    PARLEY_OIDC_ISSUER(
            "",
            "Issuer of an OpenID Connect provider, such as `https://login.example/realms/acme`, by which people may "
                    + "sign in beside their passwords ([how](docs/operations.md#signing-in-by-openid-connect))."),
    PARLEY_OIDC_CLIENT_ID("", "What the provider knows this service by; required with `PARLEY_OIDC_ISSUER`."),
    PARLEY_OIDC_CLIENT_SECRET("", "Secret of `PARLEY_OIDC_CLIENT_ID`; required with it."),
    PARLEY_OIDC_NAME("single sign-on", "The provider's name on the button of the sign-in page."),
    PARLEY_OIDC_DOMAINS(
            "",
            "E-mail domains, comma separated, whose people may register themselves; they become members of "
                    + "`PARLEY_OIDC_ORGANIZATION`. Empty: only people with an account or an invitation."),
    PARLEY_OIDC_ORGANIZATION("", "Id of the organization for `PARLEY_OIDC_DOMAINS`; required with them."),
    PARLEY_LLM_BASE_URL(
            "", "An OpenAI-compatible endpoint such as `https://llm.example/v1`. Empty: the offline model."),
    PARLEY_LLM_API_KEY("", "API key for `PARLEY_LLM_BASE_URL`."),
    PARLEY_LLM_MODEL("", "Model name for `PARLEY_LLM_BASE_URL`; required with it."),
    PARLEY_LLM_TIMEOUT("120s", "How long one call of the chat model may take, 1s to 10m."),
    PARLEY_LLM_INPUT_PRICE(
            "0", "Price of a million tokens that the chat model reads, in any currency; for the cost of tasks."),
    PARLEY_LLM_OUTPUT_PRICE("0", "Price of a million tokens that the chat model writes."),
    PARLEY_EGRESS_ALLOW(
            "",
            "Hosts and CIDR ranges, comma separated, that outgoing connections may reach although they "
                    + "are not public (`./parley start` sets it to loopback)."),
    PARLEY_TRUSTED_PROXIES(
            "",
            "Addresses and CIDR ranges, comma separated, of the proxies in front of the service: only from them do "
                    + "`X-Forwarded-For`, `X-Forwarded-Proto` and `Forwarded` count. Empty: such headers are ignored."),
    PARLEY_SMTP_HOST(
            "",
            "SMTP server that takes the service's e-mails. Empty: they are kept, and shown to admins; an invitation's "
                    + "link is then returned to the inviting admin and proves no address."),
    PARLEY_SMTP_MODE(
            "starttls",
            "`starttls` (refused when the server does not offer it), `tls` from the first byte, or `plain` for a "
                    + "server on the same machine."),
    PARLEY_SMTP_PORT("", "Port of the SMTP server; default 587 with `starttls`, 465 with `tls`, 25 with `plain`."),
    PARLEY_SMTP_USER("", "User for the SMTP server. Empty: without signing in."),
    PARLEY_SMTP_PASSWORD("", "Password of `PARLEY_SMTP_USER`."),
    PARLEY_SMTP_SENDER(
            "",
            "Sender of the e-mails, as `parley@example.org` or `Parley <parley@example.org>`; required with a host."),
    PARLEY_SMTP_TIMEOUT("20s", "How long connecting to, each answer of and each write to the SMTP server may take."),
    PARLEY_MAX_UPLOAD_MB("100", "The most that an uploaded or generated file may have, in megabytes, 1 to 5000."),
    PARLEY_S3_BUCKET("", "Bucket of an S3-compatible store for the files. Empty: they are kept under `PARLEY_DATA`."),
    PARLEY_S3_ENDPOINT("", "Address of the store, such as `https://minio.example:9000`. Empty: AWS."),
    PARLEY_S3_REGION("us-east-1", "Region of the store."),
    PARLEY_S3_PATH_STYLE(
            "false", "`true` puts the bucket into the path instead of the host name, as many stores want."),
    PARLEY_S3_ACCESS_KEY("", "Access key of the store. Empty: what the AWS environment gives, such as a role."),
    PARLEY_S3_SECRET_KEY("", "Secret of `PARLEY_S3_ACCESS_KEY`."),
    PARLEY_DATA_LAKE_S3(
            "",
            "What data lakes may read of the store, comma separated, as `<organization id>=s3://bucket/prefix/`, or "
                    + "`*=…` for every organization ([how](docs/operations.md#data-lakes-from-s3)). Needs no "
                    + "`PARLEY_S3_BUCKET`."),
    PARLEY_MESSAGES_PER_MINUTE("100", "Messages per minute of an organization without a limit of its own."),
    PARLEY_RUNNING_INSTANCES("200", "Workflow instances of one organization that may run at once."),
    PARLEY_ENGINE("local", "Engine that runs workflow instances; `local` runs them on the nodes of this service."),
    PARLEY_INSTANCE_TIME_LIMIT("7d", "Time after which an unfinished instance is TERMINATED."),
    PARLEY_AI_TIME_LIMIT("5m", "Time that one run of an AI task may take."),
    PARLEY_CODER_SANDBOX(
            "auto",
            "`auto` runs Coder tasks with the layers of isolation that the machine has, `strict` refuses to start "
                    + "where bubblewrap or prlimit do not work."),
    PARLEY_CODER_TIME_LIMIT("30s", "Time that the code of a Coder task may take, 1s to 10m."),
    PARLEY_CODER_MEMORY("256", "Memory in MiB that the code of a Coder task may use, 128 to 4096."),
    PARLEY_CODER_OUTPUT("1024", "Length in KiB of what the code of a Coder task may return, as JSON, 1 to 8192."),
    PARLEY_CODER_PARALLEL("4", "Pieces of code that one node runs at once, 1 to 64; others wait."),
    PARLEY_CODER_POOL("1", "Interpreters of each language in use that wait for code, 0 to 16; one takes about 90 MiB."),
    PARLEY_APP_TIME_LIMIT("60s", "Time that one run of an App task may take."),
    PARLEY_EMAIL_TOOL_DOMAINS(
            "",
            "Domains, comma separated, to whose addresses the tool `email.send` may write beside those of the "
                    + "organization's own members; `*` opens all (`./parley start` sets it where no SMTP server is set)."),
    PARLEY_MCP_STDIO_COMMANDS(
            "",
            "Commands that tool providers may run as MCP servers, as `name=/path/to/program argument; …`; the admins "
                    + "of every organization may name them, and nothing else is run."),
    PARLEY_NODE_LEASE("10s", "Time without a heartbeat after which other nodes take over a node's work, 2s to 60s."),
    PARLEY_SHUTDOWN_DELAY(
            "1s",
            "Time between telling that this node shuts down (`/health/ready`) and refusing requests, "
                    + "0s to 5m: as long as a load balancer needs to notice."),
    PARLEY_LOG_FORMAT("text", "`text` or `json`."),
    PARLEY_LOG_LEVEL("INFO", "`ERROR`, `WARN`, `INFO` or `DEBUG`."),
    PARLEY_LOG_REQUESTS("all", "`all` writes a line for each request, `errors` only for those answered 400 and above.");

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
}
