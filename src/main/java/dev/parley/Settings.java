package dev.parley;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
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
        Optional<FirstUser> firstUser,
        Optional<ExternalModel> model,
        Duration modelTimeout,
        Prices modelPrices,
        String egressAllow,
        Optional<Smtp> smtp,
        Files files,
        int messagesPerMinute,
        int runningInstances,
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

    /** A PostgreSQL that is not ours to start. */
    public record ExternalDatabase(String jdbcUrl, String user, String password) {
        @Override
        public String toString() {
            return "ExternalDatabase[" + user + "]";
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

        private final int port;

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
     * @param s3 empty for the data directory
     */
    public record Files(long maxBytes, Optional<S3> s3) {}

    /**
     * A bucket of an S3-compatible store.
     *
     * @param endpoint empty for AWS
     * @param accessKey empty for what the environment gives
     */
    public record S3(
            Optional<URI> endpoint,
            String region,
            String bucket,
            boolean pathStyle,
            Optional<String> accessKey,
            String secretKey) {
        @Override
        public String toString() {
            return "S3[" + bucket + "]";
        }
    }

    /** The operator that is made when there is no user yet. */
    public record FirstUser(String email, String password) {
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
        var read = new Reader(values);
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
                read.model(),
                read.duration(Setting.PARLEY_LLM_TIMEOUT, Duration.ofSeconds(1), Duration.ofMinutes(10)),
                new Prices(read.price(Setting.PARLEY_LLM_INPUT_PRICE), read.price(Setting.PARLEY_LLM_OUTPUT_PRICE)),
                read.text(Setting.PARLEY_EGRESS_ALLOW),
                read.smtp(),
                new Files(read.integer(Setting.PARLEY_MAX_UPLOAD_MB, 1, 5_000) * 1_000_000L, read.s3()),
                read.integer(Setting.PARLEY_MESSAGES_PER_MINUTE, 1, 100_000_000),
                read.integer(Setting.PARLEY_RUNNING_INSTANCES, 1, 1_000_000),
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

    private record Reader(Map<Setting, String> values) {
        String text(Setting setting) {
            String value = values.getOrDefault(setting, "").strip();
            return value.isEmpty() ? setting.defaultValue() : value;
        }

        Optional<String> optional(Setting setting) {
            return Optional.of(text(setting)).filter(value -> !value.isEmpty());
        }

        String oneOf(Setting setting, List<String> allowed) {
            String value = text(setting);
            return allowed.stream()
                    .filter(value::equalsIgnoreCase)
                    .findFirst()
                    .orElseThrow(() -> new SettingsException(
                            setting, "must be one of " + String.join(", ", allowed) + ", not '" + value + "'."));
        }

        boolean bool(Setting setting) {
            return oneOf(setting, List.of("true", "false")).equals("true");
        }

        int integer(Setting setting, int least, int most) {
            String value = text(setting);
            try {
                int number = Integer.parseInt(value);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException _) {
                // Told below, together with numbers out of range.
            }
            throw new SettingsException(
                    setting, "must be a whole number from " + least + " to " + most + ", not '" + value + "'.");
        }

        BigDecimal price(Setting setting) {
            String value = text(setting);
            try {
                BigDecimal price = new BigDecimal(value);
                if (price.signum() >= 0 && price.scale() <= 6 && price.precision() <= 12) {
                    return price;
                }
            } catch (NumberFormatException _) {
                // Told below, together with prices out of range.
            }
            throw new SettingsException(setting, "must be a price such as 0.15, not '" + value + "'.");
        }

        List<String> domains(Setting setting) {
            List<String> domains = text(setting).isEmpty()
                    ? List.of()
                    : List.of(text(setting).toLowerCase(Locale.ROOT).split("\\s*,\\s*", -1));
            if (domains.stream().anyMatch(domain -> !domain.matches("\\*|[a-z0-9-]+(\\.[a-z0-9-]+)*"))) {
                throw new SettingsException(setting, "must be a list of domains such as 'example.com, example.org'.");
            }
            return domains;
        }

        /** Programs with their arguments, by name. */
        Map<String, List<String>> commands(Setting setting) {
            Map<String, List<String>> commands = new LinkedHashMap<>();
            for (String part : text(setting).split(";", -1)) {
                if (part.isBlank()) {
                    continue;
                }
                String[] sides = part.split("=", 2);
                String name = sides[0].strip();
                List<String> command =
                        sides.length < 2 ? List.of() : List.of(sides[1].strip().split("\\s+", -1));
                if (!name.matches("[A-Za-z0-9_-]{1,64}")
                        || command.isEmpty()
                        || !command.getFirst().startsWith("/")) {
                    throw new SettingsException(
                            setting, "must be a list such as 'files=/usr/bin/server --flag; other=/usr/bin/other'.");
                }
                commands.put(name, command);
            }
            return Map.copyOf(commands);
        }

        Duration duration(Setting setting, Duration least, Duration most) {
            String value = text(setting).toUpperCase(Locale.ROOT);
            try {
                Duration duration = Duration.parse(value.endsWith("D") ? "P" + value : "PT" + value);
                if (duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0) {
                    return duration;
                }
            } catch (java.time.format.DateTimeParseException _) {
                // Told below, together with durations out of range.
            }
            throw new SettingsException(
                    setting,
                    "must be a time such as 30s, 5m, 2h or 7d, from " + least.toSeconds() + "s to " + most.toSeconds()
                            + "s, not '" + text(setting) + "'.");
        }

        URI http(Setting setting, String value) {
            try {
                URI uri = new URI(value);
                if (uri.getHost() != null
                        && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                        && uri.getRawUserInfo() == null) {
                    return uri;
                }
            } catch (URISyntaxException _) {
                // Told below.
            }
            throw new SettingsException(setting, "must be an absolute http or https URL without user and password.");
        }

        String publicUrl(int port) {
            String value = text(Setting.PARLEY_PUBLIC_URL);
            if (value.isEmpty()) {
                return "http://localhost:" + port;
            }
            String url = http(Setting.PARLEY_PUBLIC_URL, value).toString();
            return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        }

        Coder coder() {
            return new Coder(
                    oneOf(Setting.PARLEY_CODER_SANDBOX, List.of("auto", "strict"))
                            .equals("strict"),
                    duration(Setting.PARLEY_CODER_TIME_LIMIT, Duration.ofSeconds(1), Duration.ofMinutes(10)),
                    integer(Setting.PARLEY_CODER_MEMORY, 128, 4_096),
                    integer(Setting.PARLEY_CODER_OUTPUT, 1, 8_192),
                    integer(Setting.PARLEY_CODER_PARALLEL, 1, 64),
                    integer(Setting.PARLEY_CODER_POOL, 0, 16));
        }

        Optional<String> secret() {
            Optional<String> secret = optional(Setting.PARLEY_SECRET);
            if (secret.isPresent() && secret.get().length() < 32) {
                throw new SettingsException(Setting.PARLEY_SECRET, "must have at least 32 characters.");
            }
            return secret;
        }

        Optional<ExternalDatabase> database() {
            String value = text(Setting.PARLEY_DB_URL);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            String plain = value.startsWith("jdbc:") ? value.substring("jdbc:".length()) : value;
            if (!plain.startsWith("postgresql://") && !plain.startsWith("postgres://")) {
                throw new SettingsException(
                        Setting.PARLEY_DB_URL, "must start with postgresql:// or jdbc:postgresql://.");
            }
            try {
                URI uri = new URI(plain.replaceFirst("^postgres://", "postgresql://"));
                if (uri.getHost() == null) {
                    throw new SettingsException(Setting.PARLEY_DB_URL, "must name a host and a database.");
                }
                String[] userInfo =
                        Optional.ofNullable(uri.getUserInfo()).orElse("").split(":", 2);
                String user = userInfo[0].isEmpty() ? text(Setting.PARLEY_DB_USER) : userInfo[0];
                String password = userInfo.length == 2 ? userInfo[1] : text(Setting.PARLEY_DB_PASSWORD);
                URI bare = new URI(
                        uri.getScheme(), null, uri.getHost(), uri.getPort(), uri.getPath(), uri.getQuery(), null);
                return Optional.of(new ExternalDatabase("jdbc:" + bare, user, password));
            } catch (URISyntaxException _) {
                throw new SettingsException(Setting.PARLEY_DB_URL, "is not a URL that can be read.");
            }
        }

        Optional<ExternalModel> model() {
            Optional<String> url = optional(Setting.PARLEY_LLM_BASE_URL);
            if (url.isEmpty()) {
                return Optional.empty();
            }
            http(Setting.PARLEY_LLM_BASE_URL, url.get());
            String name = optional(Setting.PARLEY_LLM_MODEL)
                    .orElseThrow(() ->
                            new SettingsException(Setting.PARLEY_LLM_MODEL, "is required with PARLEY_LLM_BASE_URL."));
            return Optional.of(new ExternalModel(url.get(), text(Setting.PARLEY_LLM_API_KEY), name));
        }

        Optional<Smtp> smtp() {
            Optional<String> host = optional(Setting.PARLEY_SMTP_HOST);
            SmtpMode mode = SmtpMode.valueOf(oneOf(Setting.PARLEY_SMTP_MODE, List.of("starttls", "tls", "plain"))
                    .toUpperCase(Locale.ROOT));
            int port = optional(Setting.PARLEY_SMTP_PORT).isEmpty()
                    ? mode.port
                    : integer(Setting.PARLEY_SMTP_PORT, 1, 65_535);
            Duration timeout = duration(Setting.PARLEY_SMTP_TIMEOUT, Duration.ofSeconds(1), Duration.ofMinutes(5));
            return host.map(name -> new Smtp(
                    name,
                    port,
                    mode,
                    text(Setting.PARLEY_SMTP_USER),
                    text(Setting.PARLEY_SMTP_PASSWORD),
                    optional(Setting.PARLEY_SMTP_SENDER)
                            .orElseThrow(() -> new SettingsException(
                                    Setting.PARLEY_SMTP_SENDER, "is required with PARLEY_SMTP_HOST.")),
                    timeout));
        }

        Optional<S3> s3() {
            Optional<URI> endpoint =
                    optional(Setting.PARLEY_S3_ENDPOINT).map(url -> http(Setting.PARLEY_S3_ENDPOINT, url));
            Optional<String> bucket = optional(Setting.PARLEY_S3_BUCKET);
            if (bucket.isEmpty()) {
                if (endpoint.isPresent()) {
                    throw new SettingsException(Setting.PARLEY_S3_BUCKET, "is required with PARLEY_S3_ENDPOINT.");
                }
                return Optional.empty();
            }
            if (!bucket.get().matches("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")) {
                throw new SettingsException(Setting.PARLEY_S3_BUCKET, "is not a name that a bucket can have.");
            }
            Optional<String> accessKey = optional(Setting.PARLEY_S3_ACCESS_KEY);
            if (accessKey.isPresent() != optional(Setting.PARLEY_S3_SECRET_KEY).isPresent()) {
                throw new SettingsException(
                        Setting.PARLEY_S3_SECRET_KEY, "and PARLEY_S3_ACCESS_KEY must be set both or neither.");
            }
            return Optional.of(new S3(
                    endpoint,
                    text(Setting.PARLEY_S3_REGION),
                    bucket.get(),
                    bool(Setting.PARLEY_S3_PATH_STYLE),
                    accessKey,
                    text(Setting.PARLEY_S3_SECRET_KEY)));
        }

        Optional<FirstUser> firstUser() {
            Optional<String> email = optional(Setting.PARLEY_ADMIN_EMAIL);
            if (email.isEmpty()) {
                return Optional.empty();
            }
            String password = text(Setting.PARLEY_ADMIN_PASSWORD);
            if (password.length() < 12) {
                throw new SettingsException(Setting.PARLEY_ADMIN_PASSWORD, "must have at least 12 characters.");
            }
            return Optional.of(new FirstUser(email.get(), password));
        }
    }
}
