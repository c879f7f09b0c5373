package dev.parley.settings;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of this process, typed and checked; {@link Setting} says what each is for. A value that cannot be used
 * is a {@link SettingsException}, with which the service refuses to start.
 */
public record Settings(
        String host,
        int port,
        String publicUrl,
        boolean publicUrlGiven,
        Path data,
        Optional<ExternalDatabase> database,
        int databasePool,
        Optional<String> secret,
        boolean demo,
        Optional<FirstUserSettings> firstUser,
        Optional<Oidc> oidc,
        Optional<ExternalModel> model,
        Duration modelTimeout,
        Prices modelPrices,
        String egressAllow,
        String trustedProxies,
        Optional<Smtp> smtp,
        Files files,
        int messagesPerMinute,
        int runningInstances,
        EngineKind engine,
        Duration instanceTimeLimit,
        Duration aiTimeLimit,
        Coder coder,
        Duration appTimeLimit,
        List<String> emailToolDomains,
        Map<String, List<String>> mcpCommands,
        Duration nodeLease,
        Duration shutdownDelay,
        boolean logJson,
        String logLevel,
        boolean logAllRequests) {

    /** The engines that can run workflow instances. */
    public enum EngineKind {
        LOCAL
    }

    /** A PostgreSQL that is not ours to start. */
    public record ExternalDatabase(String jdbcUrl, String user, String password) {
        @Override
        public String toString() {
            return "ExternalDatabase[" + user + "]";
        }
    }

    /**
     * An OpenID Connect provider.
     *
     * @param name for people
     * @param domains of new people's e-mail addresses
     * @param organization that new people become members of; there with domains
     */
    public record Oidc(
            URI issuer,
            String clientId,
            String clientSecret,
            String name,
            List<String> domains,
            Optional<String> organization) {
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
     * What the chat model costs.
     *
     * @param input price of a million tokens that it reads
     * @param output price of a million tokens that it writes
     */
    public record Prices(BigDecimal input, BigDecimal output) {
        /** In millionths of the prices' currency. */
        public long costMicros(long promptTokens, long completionTokens) {
            return input.multiply(BigDecimal.valueOf(promptTokens))
                    .add(output.multiply(BigDecimal.valueOf(completionTokens)))
                    .setScale(0, RoundingMode.HALF_UP)
                    .longValue();
        }
    }

    /** How connections to the SMTP server are protected, and the usual port for it. */
    public enum SmtpMode {
        STARTTLS(587),
        TLS(465),
        PLAIN(25);

        final int port;

        SmtpMode(int port) {
            this.port = port;
        }
    }

    /**
     * The server that takes e-mails.
     *
     * @param user empty to send without signing in
     * @param timeout of connecting, of each answer and of each write
     */
    public record Smtp(
            String host, int port, SmtpMode mode, String user, String password, String sender, Duration timeout) {
        @Override
        public String toString() {
            return "Smtp[" + host + ":" + port + ", " + mode + "]";
        }
    }

    /**
     * How user code runs.
     *
     * @param strict whether the service refuses to start without the operating system's layers of isolation
     * @param parallel pieces of code that run at once
     * @param pool interpreters of a language that wait for code
     */
    public record Coder(
            boolean strict, Duration timeLimit, int memoryMegabytes, int resultKilobytes, int parallel, int pool) {}

    /**
     * Where files are kept.
     *
     * @param maxBytes the most that one may have
     * @param s3 the store of the bucket, and of what data lakes read
     * @param bucket of the files; empty for the data directory
     * @param lakePrefixes what data lakes may read
     */
    public record Files(long maxBytes, S3 s3, Optional<String> bucket, List<LakePrefix> lakePrefixes) {
        public Files {
            lakePrefixes = List.copyOf(lakePrefixes);
        }
    }

    /**
     * An S3-compatible store.
     *
     * @param endpoint empty for AWS
     * @param accessKey empty for what the environment gives
     */
    public record S3(
            Optional<URI> endpoint, String region, boolean pathStyle, Optional<String> accessKey, String secretKey) {
        @Override
        public String toString() {
            return "S3[" + endpoint.map(URI::toString).orElse("AWS") + "]";
        }
    }

    /**
     * Objects that an organization's data lakes may read.
     *
     * @param organization id; empty for every organization
     * @param prefix ends with a slash, or is empty for the whole bucket
     */
    public record LakePrefix(Optional<String> organization, String bucket, String prefix) {
        public String uri() {
            return "s3://" + bucket + "/" + prefix;
        }
    }

    /** The operator that is made when there is no user yet. */
    public record FirstUserSettings(String email, String password) {
        @Override
        public String toString() {
            return "FirstUser[" + email + "]";
        }
    }

    /** Reads the environment; a system property of the same name goes before it. */
    public static Settings load() {
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            String value = System.getProperty(setting.name(), System.getenv(setting.name()));
            if (value != null) {
                values.put(setting, value);
            }
        }
        return of(values);
    }

    public static Settings of(Map<Setting, String> values) {
        var read = new SettingsReader(values);
        int port = read.integer(Setting.PARLEY_PORT, 0, 65_535);
        return new Settings(
                read.text(Setting.PARLEY_HOST),
                port,
                read.publicUrl(port),
                read.optional(Setting.PARLEY_PUBLIC_URL).isPresent(),
                Path.of(read.text(Setting.PARLEY_DATA)).toAbsolutePath().normalize(),
                read.database(),
                read.integer(Setting.PARLEY_DB_POOL, 4, 200),
                read.secret(),
                read.bool(Setting.PARLEY_DEMO),
                read.firstUser(),
                read.oidc(),
                read.model(),
                read.duration(Setting.PARLEY_LLM_TIMEOUT, Duration.ofSeconds(1), Duration.ofMinutes(10)),
                new Prices(read.price(Setting.PARLEY_LLM_INPUT_PRICE), read.price(Setting.PARLEY_LLM_OUTPUT_PRICE)),
                read.text(Setting.PARLEY_EGRESS_ALLOW),
                read.text(Setting.PARLEY_TRUSTED_PROXIES),
                read.smtp(),
                read.files(),
                read.integer(Setting.PARLEY_MESSAGES_PER_MINUTE, 1, 100_000_000),
                read.integer(Setting.PARLEY_RUNNING_INSTANCES, 1, 1_000_000),
                EngineKind.valueOf(
                        read.oneOf(Setting.PARLEY_ENGINE, List.of("local")).toUpperCase(Locale.ROOT)),
                read.duration(Setting.PARLEY_INSTANCE_TIME_LIMIT, Duration.ofSeconds(1), Duration.ofDays(3650)),
                read.duration(Setting.PARLEY_AI_TIME_LIMIT, Duration.ofSeconds(1), Duration.ofDays(1)),
                read.coder(),
                read.duration(Setting.PARLEY_APP_TIME_LIMIT, Duration.ofSeconds(1), Duration.ofHours(1)),
                read.domains(Setting.PARLEY_EMAIL_TOOL_DOMAINS),
                read.commands(Setting.PARLEY_MCP_STDIO_COMMANDS),
                read.duration(Setting.PARLEY_NODE_LEASE, Duration.ofSeconds(2), Duration.ofSeconds(60)),
                read.duration(Setting.PARLEY_SHUTDOWN_DELAY, Duration.ZERO, Duration.ofMinutes(5)),
                read.oneOf(Setting.PARLEY_LOG_FORMAT, List.of("text", "json")).equals("json"),
                read.oneOf(Setting.PARLEY_LOG_LEVEL, List.of("ERROR", "WARN", "INFO", "DEBUG")),
                read.oneOf(Setting.PARLEY_LOG_REQUESTS, List.of("all", "errors"))
                        .equals("all"));
    }

    /** Whether browsers reach the service over TLS, so that cookies may be Secure. */
    public boolean behindTls() {
        return publicUrl.startsWith("https://");
    }
}
