package dev.parley.settings;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of this process, typed and validated, in one record for each feature. Features inject their own record;
 * the whole is no bean. {@link Setting} documents each setting. An invalid value is a {@link SettingsException}, with
 * which the service refuses to start.
 */
public record Settings(
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
        Logging logging) {

    /**
     * Where the service listens.
     *
     * @param trustedProxies addresses and CIDR ranges
     * @param shutdownDelay between the announcement of a shutdown and the end of listening
     */
    public record Listener(String host, int port, String trustedProxies, Duration shutdownDelay) {}

    /**
     * The URL under which browsers reach the service.
     *
     * @param isConfigured false for a URL made from the port
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
     * @param secret empty for one that is generated in the directory
     */
    public record Storage(Path directory, Optional<String> secret) {
        @Override
        public String toString() {
            return "Storage[" + directory + "]";
        }
    }

    /** @param external empty for the embedded PostgreSQL */
    public record DatabaseConnection(Optional<ExternalDatabase> external, int poolSize) {}

    /** What is created in an empty database. */
    public record FirstStart(boolean demo, Optional<FirstUserSettings> firstUser) {}

    /**
     * The chat model.
     *
     * @param external empty for the offline model
     * @param timeout of one request
     */
    public record Models(Optional<ExternalModel> external, Duration timeout, Prices prices) {}

    /** @param allow private destinations that outgoing connections may reach */
    public record Egress(String allow) {}

    /** @param toolDomains domains that the tool email.send may write to */
    public record Mail(Optional<Smtp> smtp, List<String> toolDomains) {}

    /** Limits of an organization and of its instances. */
    public record Quotas(int messagesPerMinute, int runningInstances, Duration instanceTimeLimit) {}

    /** @param nodeLease how long a node may be silent before another one takes over its work */
    public record Engines(EngineKind kind, Duration nodeLease) {}

    /** How long one attempt of a task may take. */
    public record TaskLimits(Duration ai, Duration app) {}

    /** @param commands programs with their arguments, by the name that tool providers use */
    public record McpPrograms(Map<String, List<String>> commands) {}

    public record Logging(boolean json, String level, boolean allRequests) {}

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
        Listener listener = read.listener();
        return new Settings(
                listener,
                read.publicUrl(listener.port()),
                read.storage(),
                read.database(),
                read.firstStart(),
                read.oidc(),
                read.models(),
                new Egress(read.text(Setting.PARLEY_EGRESS_ALLOW)),
                read.mail(),
                read.files(),
                read.quotas(),
                read.engines(),
                read.tasks(),
                read.coder(),
                new McpPrograms(read.commands(Setting.PARLEY_MCP_STDIO_COMMANDS)),
                read.logging());
    }
}
