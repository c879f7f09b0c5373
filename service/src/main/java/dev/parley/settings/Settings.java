package dev.parley.settings;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Currency;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The settings of this process, typed and validated, in one record for each feature. Features inject their own record;
 * this record is not a bean. {@link Setting} documents each setting. An invalid value is a {@link SettingsException}.
 */
public record Settings(
        ServiceSize size,
        Listener listener,
        PublicUrl publicUrl,
        Storage storage,
        DatabaseConnection database,
        FirstStart firstStart,
        Optional<Oidc> oidc,
        Models models,
        Egress egress,
        Mail mail,
        Files files,
        Quotas quotas,
        Engines engines,
        TaskLimits tasks,
        Coder coder,
        McpPrograms mcp,
        Logging logging,
        Monitoring monitoring,
        Backup backup) {

    /**
     * Where the service listens.
     *
     * @param trustedProxies addresses and CIDR ranges
     * @param shutdownDelay from reporting the shutdown to rejecting requests
     */
    public record Listener(String host, int port, String trustedProxies, Duration shutdownDelay) {}

    /**
     * The URL under which browsers reach the service.
     *
     * @param isConfigured false for the default URL with localhost and the port
     */
    public record PublicUrl(String url, boolean isConfigured) {
        /** Whether browsers reach the service over TLS, so that cookies may be Secure. */
        public boolean isTls() {
            return url.startsWith("https://");
        }
    }

    /**
     * The data directory, and the secret that protects stored credentials.
     *
     * @param secret empty to generate one in the directory
     */
    public record Storage(Path directory, Optional<String> secret) {
        @Override
        public String toString() {
            return "Storage[" + directory + "]";
        }
    }

    /** @param external empty for the embedded PostgreSQL */
    public record DatabaseConnection(Optional<ExternalDatabase> external, int poolSize) {}

    /** Initial content of an empty database. */
    public record FirstStart(boolean demo, Optional<FirstUserSettings> firstUser) {}

    /**
     * The chat model.
     *
     * @param external empty for the offline model
     * @param timeout how long the model may be silent, and how long a failed request for a chat reply is retried
     * @param retryTime how long a chat message waits for an unavailable model
     */
    public record Models(Optional<ExternalModel> external, Duration timeout, Duration retryTime, Prices prices) {
        private static final int REPLY_TIMEOUTS = 5;

        /** The deadline of a chat reply, which may be streamed for long. */
        public Duration replyDeadline() {
            return timeout.multipliedBy(REPLY_TIMEOUTS);
        }
    }

    /** @param allow hosts and CIDR ranges that outgoing connections may reach even if they are not public */
    public record Egress(String allow) {}

    /** @param toolDomains domains to which the tool email.send may write */
    public record Mail(Optional<Smtp> smtp, List<String> toolDomains) {}

    /** Limits of an organization and of its instances. */
    public record Quotas(int messagesPerMinute, int runningInstances, Duration instanceTimeLimit) {}

    /**
     * @param nodeLease how long a node may be silent before another one takes over its work
     * @param standby whether this process serves reads only
     */
    public record Engines(EngineKind kind, Duration nodeLease, boolean standby, Optional<Restate> restate) {}

    /**
     * The Restate server of the engine of that name, and the port on which it calls this node.
     *
     * @param endpoint the address of the port, or of the balancer before the ports of all nodes, as Restate reaches it
     * @param identityKey the public key with which Restate signs its calls; empty to accept unsigned ones
     */
    public record Restate(URI ingress, URI admin, String host, int port, URI endpoint, Optional<String> identityKey) {}

    /**
     * Limits of tasks.
     *
     * @param ai time limit for one attempt, like {@code app}
     * @param aiTask limits of one AI task, like {@code aiInstance} for all of an instance
     */
    public record TaskLimits(Duration ai, Duration app, AgentLimits aiTask, AgentLimits aiInstance) {}

    /** How much the models of a task or of an instance may use; 0 for no limit. */
    public record AgentLimits(int modelCalls, int toolCalls, int tokens, BigDecimal cost) {}

    /** @param commands command lines, by the name that tool providers use */
    public record McpPrograms(Map<String, List<String>> commands) {}

    public record Logging(boolean json, String level, boolean allRequests) {}

    /**
     * Who may read the metrics, and where.
     *
     * @param port of metrics and health checks; empty to serve them on the port of the service
     * @param token empty to serve them without authentication
     */
    public record Monitoring(String host, OptionalInt port, Optional<String> token) {
        @Override
        public String toString() {
            return "Monitoring[" + host + ":" + port + "]";
        }
    }

    /** @param passphrase empty for backups that are not encrypted */
    public record Backup(Optional<String> passphrase) {
        @Override
        public String toString() {
            return "Backup[" + (passphrase.isPresent() ? "encrypted" : "plain") + "]";
        }
    }

    /** The engines that can run workflow instances. */
    public enum EngineKind {
        LOCAL,
        RESTATE
    }

    /** A PostgreSQL that the service connects to but does not start. */
    public record ExternalDatabase(String jdbcUrl, String user, String password) {
        @Override
        public String toString() {
            return "ExternalDatabase[" + user + "]";
        }
    }

    /**
     * An OpenID Connect provider.
     *
     * @param name display name
     * @param domains email domains whose users may register themselves
     * @param organization the organization that they join; present if there are domains
     * @param trustedDomains email domains whose addresses count as verified without a statement of the provider
     */
    public record Oidc(
            URI issuer,
            String clientId,
            String clientSecret,
            String name,
            List<String> domains,
            Optional<String> organization,
            List<String> trustedDomains) {
        @Override
        public String toString() {
            return "Oidc[" + issuer + ", " + clientId + "]";
        }
    }

    /** An OpenAI-compatible endpoint. */
    public record ExternalModel(String baseUrl, String apiKey, String name) {
        @Override
        public String toString() {
            return "ExternalModel[" + baseUrl + ", " + name + "]";
        }
    }

    /**
     * Prices of the chat model.
     *
     * @param input price of a million input tokens
     * @param output price of a million output tokens
     */
    public record Prices(BigDecimal input, BigDecimal output, Currency currency) {
        /** The cost in millionths of the currency unit. */
        public long costMicros(long promptTokens, long completionTokens) {
            return input.multiply(BigDecimal.valueOf(promptTokens))
                    .add(output.multiply(BigDecimal.valueOf(completionTokens)))
                    .setScale(0, RoundingMode.HALF_UP)
                    .longValue();
        }
    }

    /** Encryption of SMTP connections, with its default port. */
    public enum SmtpMode {
        STARTTLS(587),
        TLS(465),
        PLAIN(25);

        final int defaultPort;

        SmtpMode(int defaultPort) {
            this.defaultPort = defaultPort;
        }
    }

    /**
     * The SMTP server.
     *
     * @param user empty for no authentication
     * @param timeout for connecting, for each response and for each write
     */
    public record Smtp(
            String host, int port, SmtpMode mode, String user, String password, String sender, Duration timeout) {
        @Override
        public String toString() {
            return "Smtp[" + host + ":" + port + ", " + mode + "]";
        }
    }

    /**
     * Coder tasks, which run user code.
     *
     * @param strict whether the service requires full isolation to start
     * @param parallel tasks that run concurrently
     * @param pool idle interpreters kept ready per language
     * @param starts idle interpreters that start at the same time
     */
    public record Coder(
            boolean strict,
            Duration timeLimit,
            int memoryMegabytes,
            int resultKilobytes,
            int parallel,
            int pool,
            int starts) {}

    /**
     * File storage.
     *
     * @param directory for files, if there is no bucket
     * @param maxBytes maximum size of a file
     * @param s3 the store of the bucket and of the data lakes' prefixes
     * @param bucket for files; empty for the directory
     * @param lakePrefixes prefixes that data lakes may read
     */
    public record Files(Path directory, long maxBytes, S3 s3, Optional<String> bucket, List<LakePrefix> lakePrefixes) {
        public Files {
            lakePrefixes = List.copyOf(lakePrefixes);
        }
    }

    /**
     * An S3-compatible store.
     *
     * @param endpoint empty for AWS
     * @param accessKey empty for the credentials of the environment
     */
    public record S3(
            Optional<URI> endpoint, String region, boolean pathStyle, Optional<String> accessKey, String secretKey) {
        @Override
        public String toString() {
            return "S3[" + endpoint.map(URI::toString).orElse("AWS") + "]";
        }
    }

    /**
     * A prefix of objects that data lakes may read.
     *
     * @param organization id of the only organization that may read it; empty for every organization
     * @param prefix ends with a slash; empty for the whole bucket
     */
    public record LakePrefix(Optional<String> organization, String bucket, String prefix) {
        public String uri() {
            return "s3://" + bucket + "/" + prefix;
        }
    }

    /** The operator to create if there is no user. */
    public record FirstUserSettings(String email, String password) {
        @Override
        public String toString() {
            return "FirstUserSettings[" + email + "]";
        }
    }

    /** Reads environment variables; a system property of the same name takes precedence. */
    public static Settings load() {
        return of(environment(), MachineSize.detect(), Optional.of(RunningJvm.current()));
    }

    /** The size for a JVM that is yet to be started. */
    public static ServiceSize loadSize() {
        return new SettingsReader(environment()).size(MachineSize.detect());
    }

    /** Refuses settings that {@link #load} accepts but that are unsafe in production. */
    public static void requireProduction() {
        new ProductionRules(new SettingsReader(environment()))
                .require(System.getenv().keySet());
    }

    /** The settings that are set, without secrets. */
    public static ShownSettings show() {
        return ShownSettings.of(environment());
    }

    private static Map<Setting, String> environment() {
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            String value = System.getProperty(setting.name(), System.getenv(setting.name()));
            if (value != null) {
                values.put(setting, value);
            }
        }
        return values;
    }

    /** Settings for the smallest machine. */
    public static Settings of(Map<Setting, String> values) {
        return of(values, MachineSize.SMALLEST, Optional.empty());
    }

    private static Settings of(Map<Setting, String> values, MachineSize machine, Optional<RunningJvm> jvm) {
        var reader = new SettingsReader(values);
        ServiceSize chosen = reader.size(machine);
        ServiceSize size = jvm.map(chosen::with).orElse(chosen);
        Listener listener = reader.listener();
        return new Settings(
                size,
                listener,
                reader.publicUrl(listener.port()),
                reader.storage(),
                new DatabaseConnection(reader.externalDatabase(), size.databaseConnections()),
                reader.firstStart(),
                OidcSettingsReader.read(reader),
                reader.models(),
                new Egress(reader.text(Setting.PARLEY_EGRESS_ALLOW)),
                reader.mail(),
                reader.files(),
                reader.quotas(),
                reader.engines(),
                reader.tasks(),
                reader.coder(size),
                new McpPrograms(reader.commands(Setting.PARLEY_MCP_STDIO_COMMANDS)),
                reader.logging(),
                reader.monitoring(),
                reader.backup());
    }
}
