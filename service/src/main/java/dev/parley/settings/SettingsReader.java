package dev.parley.settings;

import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and validates the values of {@link Settings}. */
record SettingsReader(Map<Setting, String> values) {
    private static final String BUCKET = "[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]";
    private static final Pattern LAKE_PREFIX =
            Pattern.compile("(\\*|[0-9a-f]{32})=s3://(" + BUCKET + ")/((?:[A-Za-z0-9!_.*'()=+@:-]+/)*)");

    /** In MiB; the JVM compresses pointers only in heaps below 32 GiB. */
    private static final int MAX_HEAP = 31_744;

    private static final int MIN_PASSPHRASE = 12;
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "::1", "localhost");
    private static final Predicate<String> IS_DOT_SEGMENT = Set.of(".", "..")::contains;

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

    int integer(Setting setting, int min, int max) {
        String value = text(setting);
        try {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Rejected below, like a number out of range.
        }
        throw new SettingsException(
                setting, "must be a whole number from " + min + " to " + max + ", not '" + value + "'.");
    }

    /** A number with a default that depends on the machine. */
    private int sized(Setting setting, int size, int min, int max) {
        return optional(setting).isEmpty() ? size : integer(setting, min, max);
    }

    /** The size of the service on a machine; the JVM has the heap and the collector if it is already running. */
    ServiceSize size(MachineSize detected) {
        var machine = new MachineSize(
                sized(Setting.PARLEY_CORES, detected.cores(), 1, 1_024),
                sized(Setting.PARLEY_MEMORY, detected.memoryMegabytes(), 256, 1 << 24));
        ServiceSize size = ServiceSize.of(machine);
        Optional<String> collector = optional(Setting.PARLEY_COLLECTOR)
                .map(_ -> oneOf(Setting.PARLEY_COLLECTOR, List.of("serial", "parallel", "g1")));
        return new ServiceSize(
                machine,
                collector.map(ServiceSize.Collector::of).orElse(size.collector()),
                sized(Setting.PARLEY_HEAP, size.heapMegabytes(), 64, MAX_HEAP),
                sized(Setting.PARLEY_DIRECT_MEMORY, size.directMegabytes(), 32, MAX_HEAP),
                sized(Setting.PARLEY_EVENT_LOOPS, size.eventLoops(), 1, 256),
                sized(Setting.PARLEY_DB_POOL, size.databaseConnections(), 4, 1_000),
                sized(Setting.PARLEY_COMMIT_WRITERS, size.commitWriters(), 1, 64),
                sized(Setting.PARLEY_CODER_PARALLEL, size.coderParallel(), 1, 64),
                sized(Setting.PARLEY_CODER_POOL, size.coderPool(), 0, 16),
                sized(Setting.PARLEY_DOCUMENT_READERS, size.documentReaders(), 1, 64),
                sized(Setting.PARLEY_DB_SHARED_BUFFERS, size.sharedBuffersMegabytes(), 16, 65_536));
    }

    BigDecimal price(Setting setting) {
        String value = text(setting);
        try {
            BigDecimal price = new BigDecimal(value);
            if (price.signum() >= 0 && price.scale() <= 6 && price.precision() <= 12) {
                return price;
            }
        } catch (NumberFormatException _) {
            // Rejected below, like a price out of range.
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

    /** Command lines by name. */
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

    Duration duration(Setting setting, Duration min, Duration max) {
        String value = text(setting).toUpperCase(Locale.ROOT);
        try {
            Duration duration = Duration.parse(value.endsWith("D") ? "P" + value : "PT" + value);
            if (duration.compareTo(min) >= 0 && duration.compareTo(max) <= 0) {
                return duration;
            }
        } catch (DateTimeParseException _) {
            // Rejected below, like a duration out of range.
        }
        throw new SettingsException(
                setting,
                "must be a duration such as 30s, 5m, 2h or 7d, from " + min.toSeconds() + "s to " + max.toSeconds()
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
            // Rejected below.
        }
        throw new SettingsException(setting, "must be an absolute http or https URL without user and password.");
    }

    Settings.Listener listener() {
        return new Settings.Listener(
                text(Setting.PARLEY_HOST),
                integer(Setting.PARLEY_PORT, 0, 65_535),
                text(Setting.PARLEY_TRUSTED_PROXIES),
                duration(Setting.PARLEY_SHUTDOWN_DELAY, Duration.ZERO, Duration.ofMinutes(5)));
    }

    Settings.PublicUrl publicUrl(int port) {
        String value = text(Setting.PARLEY_PUBLIC_URL);
        if (value.isEmpty()) {
            return new Settings.PublicUrl("http://localhost:" + port, false);
        }
        String url = http(Setting.PARLEY_PUBLIC_URL, value).toString();
        return new Settings.PublicUrl(url.endsWith("/") ? url.substring(0, url.length() - 1) : url, true);
    }

    Settings.Quotas quotas() {
        return new Settings.Quotas(
                integer(Setting.PARLEY_MESSAGES_PER_MINUTE, 1, 100_000_000),
                integer(Setting.PARLEY_RUNNING_INSTANCES, 1, 1_000_000),
                duration(Setting.PARLEY_INSTANCE_TIME_LIMIT, Duration.ofSeconds(1), Duration.ofDays(3650)));
    }

    Settings.Engines engines() {
        var kind = Settings.EngineKind.valueOf(
                oneOf(Setting.PARLEY_ENGINE, List.of("local", "restate")).toUpperCase(Locale.ROOT));
        return new Settings.Engines(
                kind,
                duration(Setting.PARLEY_NODE_LEASE, Duration.ofSeconds(2), Duration.ofSeconds(60)),
                bool(Setting.PARLEY_STANDBY),
                kind == Settings.EngineKind.RESTATE ? Optional.of(restate()) : Optional.empty());
    }

    private Settings.Restate restate() {
        String host = text(Setting.PARLEY_RESTATE_ENDPOINT_HOST);
        int port = integer(Setting.PARLEY_RESTATE_ENDPOINT_PORT, 1, 65_535);
        Optional<String> key = optional(Setting.PARLEY_RESTATE_IDENTITY_KEY);
        if (key.isPresent() && !key.get().matches("publickeyv1_[1-9A-HJ-NP-Za-km-z]{40,44}")) {
            throw new SettingsException(
                    Setting.PARLEY_RESTATE_IDENTITY_KEY, "must be a public key as Restate prints it, publickeyv1_….");
        }
        if (key.isEmpty() && !LOOPBACK.contains(host)) {
            throw new SettingsException(
                    Setting.PARLEY_RESTATE_IDENTITY_KEY,
                    "is required, because anybody who reaches the endpoint on " + host + " could run tasks.");
        }
        String address = text(Setting.PARLEY_RESTATE_ENDPOINT_URL);
        return new Settings.Restate(
                http(
                        Setting.PARLEY_RESTATE_INGRESS_URL,
                        required(Setting.PARLEY_RESTATE_INGRESS_URL, Setting.PARLEY_ENGINE)),
                http(
                        Setting.PARLEY_RESTATE_ADMIN_URL,
                        required(Setting.PARLEY_RESTATE_ADMIN_URL, Setting.PARLEY_ENGINE)),
                host,
                port,
                http(Setting.PARLEY_RESTATE_ENDPOINT_URL, address.isEmpty() ? "http://127.0.0.1:" + port : address),
                key);
    }

    Settings.TaskLimits tasks() {
        return new Settings.TaskLimits(
                duration(Setting.PARLEY_AI_TIME_LIMIT, Duration.ofSeconds(1), Duration.ofDays(1)),
                duration(Setting.PARLEY_APP_TIME_LIMIT, Duration.ofSeconds(1), Duration.ofHours(1)),
                new Settings.AgentLimits(
                        integer(Setting.PARLEY_AI_TASK_MODEL_CALLS, 0, Integer.MAX_VALUE),
                        integer(Setting.PARLEY_AI_TASK_TOOL_CALLS, 0, Integer.MAX_VALUE),
                        integer(Setting.PARLEY_AI_TASK_TOKENS, 0, Integer.MAX_VALUE),
                        price(Setting.PARLEY_AI_TASK_COST)),
                new Settings.AgentLimits(
                        integer(Setting.PARLEY_AI_INSTANCE_MODEL_CALLS, 0, Integer.MAX_VALUE),
                        integer(Setting.PARLEY_AI_INSTANCE_TOOL_CALLS, 0, Integer.MAX_VALUE),
                        integer(Setting.PARLEY_AI_INSTANCE_TOKENS, 0, Integer.MAX_VALUE),
                        price(Setting.PARLEY_AI_INSTANCE_COST)));
    }

    Settings.Logging logging() {
        return new Settings.Logging(
                oneOf(Setting.PARLEY_LOG_FORMAT, List.of("text", "json")).equals("json"),
                oneOf(Setting.PARLEY_LOG_LEVEL, List.of("ERROR", "WARN", "INFO", "DEBUG")),
                oneOf(Setting.PARLEY_LOG_REQUESTS, List.of("all", "errors")).equals("all"));
    }

    Settings.Monitoring monitoring() {
        OptionalInt port = optional(Setting.PARLEY_METRICS_PORT).isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(integer(Setting.PARLEY_METRICS_PORT, 1, 65_535));
        if (port.isPresent() && port.getAsInt() == integer(Setting.PARLEY_PORT, 0, 65_535)) {
            throw new SettingsException(Setting.PARLEY_METRICS_PORT, "must differ from PARLEY_PORT.");
        }
        Optional<String> host = optional(Setting.PARLEY_METRICS_HOST);
        if (port.isEmpty() && host.isPresent()) {
            throw new SettingsException(Setting.PARLEY_METRICS_HOST, "requires PARLEY_METRICS_PORT.");
        }
        Optional<String> token = optional(Setting.PARLEY_METRICS_TOKEN);
        if (token.isPresent() && !token.get().matches("[!-~]{16,}")) {
            throw new SettingsException(
                    Setting.PARLEY_METRICS_TOKEN, "must have at least 16 characters, of ASCII and without spaces.");
        }
        return new Settings.Monitoring(host.orElseGet(() -> text(Setting.PARLEY_HOST)), port, token);
    }

    Settings.Backup backup() {
        Optional<String> passphrase = optional(Setting.PARLEY_BACKUP_PASSPHRASE);
        if (passphrase.isPresent() && passphrase.get().length() < MIN_PASSPHRASE) {
            throw new SettingsException(
                    Setting.PARLEY_BACKUP_PASSPHRASE, "must have at least " + MIN_PASSPHRASE + " characters.");
        }
        return new Settings.Backup(passphrase);
    }

    Settings.Coder coder(ServiceSize size) {
        return new Settings.Coder(
                oneOf(Setting.PARLEY_CODER_SANDBOX, List.of("auto", "strict")).equals("strict"),
                duration(Setting.PARLEY_CODER_TIME_LIMIT, Duration.ofSeconds(1), Duration.ofMinutes(10)),
                integer(Setting.PARLEY_CODER_MEMORY, 128, 4_096),
                integer(Setting.PARLEY_CODER_OUTPUT, 1, 8_192),
                size.coderParallel(),
                size.coderPool(),
                size.byCores(1));
    }

    Settings.Storage storage() {
        Optional<String> secret = optional(Setting.PARLEY_SECRET);
        if (secret.isPresent() && secret.get().length() < 32) {
            throw new SettingsException(Setting.PARLEY_SECRET, "must have at least 32 characters.");
        }
        return new Settings.Storage(path(text(Setting.PARLEY_DATA)), secret);
    }

    private static Path path(String text) {
        return Path.of(text).toAbsolutePath().normalize();
    }

    Optional<Settings.ExternalDatabase> externalDatabase() {
        String value = text(Setting.PARLEY_DB_URL);
        if (value.isEmpty() || value.equals("embedded")) {
            return Optional.empty();
        }
        String plain = value.startsWith("jdbc:") ? value.substring("jdbc:".length()) : value;
        if (!plain.startsWith("postgresql://") && !plain.startsWith("postgres://")) {
            throw new SettingsException(Setting.PARLEY_DB_URL, "must start with postgresql:// or jdbc:postgresql://.");
        }
        try {
            URI uri = new URI(plain.replaceFirst("^postgres://", "postgresql://"));
            if (uri.getHost() == null) {
                throw new SettingsException(Setting.PARLEY_DB_URL, "must name a host and a database.");
            }
            if (uri.getFragment() != null || uri.getRawPath().contains("@")) {
                throw new SettingsException(
                        Setting.PARLEY_DB_URL,
                        "is not a valid URL: percent-encode the special characters of the password, or set"
                                + " PARLEY_DB_PASSWORD.");
            }
            String[] userInfo =
                    Optional.ofNullable(uri.getUserInfo()).orElse("").split(":", 2);
            String user = userInfo[0].isEmpty() ? text(Setting.PARLEY_DB_USER) : userInfo[0];
            String password = userInfo.length == 2 ? userInfo[1] : text(Setting.PARLEY_DB_PASSWORD);
            URI bare =
                    new URI(uri.getScheme(), null, uri.getHost(), uri.getPort(), uri.getPath(), uri.getQuery(), null);
            return Optional.of(new Settings.ExternalDatabase("jdbc:" + bare, user, password));
        } catch (URISyntaxException _) {
            throw new SettingsException(Setting.PARLEY_DB_URL, "is not a valid URL.");
        }
    }

    Settings.Models models() {
        return new Settings.Models(
                externalModel(),
                duration(Setting.PARLEY_LLM_TIMEOUT, Duration.ofSeconds(1), Duration.ofMinutes(10)),
                duration(Setting.PARLEY_LLM_RETRY_TIME, Duration.ZERO, Duration.ofHours(24)),
                new Settings.Prices(
                        price(Setting.PARLEY_LLM_INPUT_PRICE), price(Setting.PARLEY_LLM_OUTPUT_PRICE), currency()));
    }

    private Currency currency() {
        try {
            return Currency.getInstance(text(Setting.PARLEY_LLM_CURRENCY));
        } catch (IllegalArgumentException _) {
            throw new SettingsException(Setting.PARLEY_LLM_CURRENCY, "must be an ISO 4217 code such as EUR.");
        }
    }

    private Optional<Settings.ExternalModel> externalModel() {
        Optional<String> url = optional(Setting.PARLEY_LLM_BASE_URL);
        if (url.isEmpty()) {
            return Optional.empty();
        }
        http(Setting.PARLEY_LLM_BASE_URL, url.get());
        String name = required(Setting.PARLEY_LLM_MODEL, Setting.PARLEY_LLM_BASE_URL);
        return Optional.of(new Settings.ExternalModel(url.get(), text(Setting.PARLEY_LLM_API_KEY), name));
    }

    String required(Setting setting, Setting other) {
        return optional(setting).orElseThrow(() -> new SettingsException(setting, "is required with " + other + "."));
    }

    Settings.Mail mail() {
        return new Settings.Mail(smtp(), domains(Setting.PARLEY_EMAIL_TOOL_DOMAINS));
    }

    private Optional<Settings.Smtp> smtp() {
        Optional<String> host = optional(Setting.PARLEY_SMTP_HOST);
        Settings.SmtpMode mode =
                Settings.SmtpMode.valueOf(oneOf(Setting.PARLEY_SMTP_MODE, List.of("starttls", "tls", "plain"))
                        .toUpperCase(Locale.ROOT));
        int port = optional(Setting.PARLEY_SMTP_PORT).isEmpty()
                ? mode.defaultPort
                : integer(Setting.PARLEY_SMTP_PORT, 1, 65_535);
        Duration timeout = duration(Setting.PARLEY_SMTP_TIMEOUT, Duration.ofSeconds(1), Duration.ofMinutes(5));
        return host.map(name -> new Settings.Smtp(
                name,
                port,
                mode,
                text(Setting.PARLEY_SMTP_USER),
                text(Setting.PARLEY_SMTP_PASSWORD),
                required(Setting.PARLEY_SMTP_SENDER, Setting.PARLEY_SMTP_HOST),
                timeout));
    }

    Settings.Files files() {
        Optional<String> bucket = optional(Setting.PARLEY_S3_BUCKET);
        if (bucket.isPresent() && !bucket.get().matches(BUCKET)) {
            throw new SettingsException(Setting.PARLEY_S3_BUCKET, "is not a valid bucket name.");
        }
        List<Settings.LakePrefix> lakes = lakePrefixes(Setting.PARLEY_DATA_LAKE_S3);
        // The keys of stored files begin with the id of their organization.
        if (lakes.stream()
                .anyMatch(lake -> Optional.of(lake.bucket()).equals(bucket)
                        && lake.prefix().matches("|[0-9a-f]{32}/.*"))) {
            throw new SettingsException(
                    Setting.PARLEY_DATA_LAKE_S3,
                    "must not cover the files in PARLEY_S3_BUCKET: use a prefix such as 's3://" + bucket.orElseThrow()
                            + "/data/'.");
        }
        if (bucket.isEmpty()
                && lakes.isEmpty()
                && optional(Setting.PARLEY_S3_ENDPOINT).isPresent()) {
            throw new SettingsException(
                    Setting.PARLEY_S3_BUCKET, "or PARLEY_DATA_LAKE_S3 is required with PARLEY_S3_ENDPOINT.");
        }
        if (bucket.isPresent() && optional(Setting.PARLEY_FILES).isPresent()) {
            throw new SettingsException(
                    Setting.PARLEY_FILES, "and PARLEY_S3_BUCKET both name a store of files: set one of them.");
        }
        Path directory = optional(Setting.PARLEY_FILES)
                .map(SettingsReader::path)
                .orElseGet(() -> path(text(Setting.PARLEY_DATA)).resolve("files"));
        return new Settings.Files(
                directory, integer(Setting.PARLEY_MAX_UPLOAD_MB, 1, 5_000) * 1_000_000L, s3(), bucket, lakes);
    }

    private List<Settings.LakePrefix> lakePrefixes(Setting setting) {
        List<Settings.LakePrefix> prefixes = new ArrayList<>();
        for (String part : text(setting).split(",", -1)) {
            if (part.isBlank()) {
                continue;
            }
            Matcher sides = LAKE_PREFIX.matcher(part.strip());
            if (!sides.matches()
                    || List.of(sides.group(3).split("/", -1)).stream().anyMatch(IS_DOT_SEGMENT)) {
                throw new SettingsException(
                        setting,
                        "must be a list such as '<organization id or *>=s3://bucket/prefix/, …', where '" + part.strip()
                                + "' is invalid.");
            }
            prefixes.add(new Settings.LakePrefix(
                    Optional.of(sides.group(1)).filter(id -> !id.equals("*")), sides.group(2), sides.group(3)));
        }
        return prefixes;
    }

    private Settings.S3 s3() {
        Optional<URI> endpoint = optional(Setting.PARLEY_S3_ENDPOINT).map(url -> http(Setting.PARLEY_S3_ENDPOINT, url));
        Optional<String> accessKey = optional(Setting.PARLEY_S3_ACCESS_KEY);
        if (accessKey.isPresent() != optional(Setting.PARLEY_S3_SECRET_KEY).isPresent()) {
            throw new SettingsException(
                    Setting.PARLEY_S3_SECRET_KEY, "and PARLEY_S3_ACCESS_KEY must be set both or neither.");
        }
        return new Settings.S3(
                endpoint,
                text(Setting.PARLEY_S3_REGION),
                bool(Setting.PARLEY_S3_PATH_STYLE),
                accessKey,
                text(Setting.PARLEY_S3_SECRET_KEY));
    }

    Settings.FirstStart firstStart() {
        if (bool(Setting.PARLEY_STANDBY)) {
            return new Settings.FirstStart(false, Optional.empty());
        }
        return new Settings.FirstStart(
                bool(Setting.PARLEY_DEMO),
                optional(Setting.PARLEY_ADMIN_EMAIL)
                        .map(email -> new Settings.FirstUserSettings(email, text(Setting.PARLEY_ADMIN_PASSWORD))));
    }
}
