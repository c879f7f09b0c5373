package dev.parley.support;

import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.db.embedded.EmbeddedPostgres;
import dev.parley.db.embedded.InstallationDatabase;
import dev.parley.disk.AtomicFile;
import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressRules;
import dev.parley.settings.Settings;
import dev.parley.settings.ShownSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * {@code parley diagnose FILE}: collects what helps to find out why an installation does not work. Each part is collected
 * by itself, and what cannot be collected is listed. No part contains a password or a key.
 */
public final class SupportBundle {
    public static final String NAME = "diagnose";

    private static final String CONTENTS = "contents.txt";
    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final int COMMAND_SECONDS = 30;
    private static final long MAX_RESPONSE_BYTES = 16 << 20;
    private static final String LOG_LINES = "3000";

    private final ZipOutputStream zip;
    private final ShownSettings shown;
    private final List<String> contents = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final List<String> secrets = new ArrayList<>();

    private SupportBundle(ZipOutputStream zip, ShownSettings shown) {
        this.zip = zip;
        this.shown = shown;
        secrets.addAll(shown.secrets());
    }

    /** The settings of an installation that the bundle needs. */
    public record BundleSettings(
            Settings.DatabaseConnection database,
            Settings.Storage storage,
            Settings.Listener listener,
            Settings.Monitoring monitoring) {}

    /**
     * Returns the lines to print.
     *
     * @param settings fails if they are invalid, which the bundle then says
     */
    public static List<String> write(Path file, String release, ShownSettings shown, Supplier<BundleSettings> settings)
            throws IOException {
        List<String> lines = new ArrayList<>();
        AtomicFile.<RuntimeException>write(file, out -> {
            var bundle = new SupportBundle(new ZipOutputStream(out), shown);
            bundle.collect(release, settings);
            lines.add("The support bundle is in " + file
                    + ". It has no passwords and keys; logs may have e-mail addresses.");
            bundle.missing.forEach(part -> lines.add("Not collected: " + part));
        });
        return lines;
    }

    private void collect(String release, Supplier<BundleSettings> settings) throws IOException {
        // First, because other parts must not contain them.
        addSecret(() -> settings.get().storage().directory().resolve(MasterKey.FILE));
        addSecret(() -> InstallationDatabase.embedded(settings.get().storage()).resolve("password"));
        add("versions.txt", () -> versions(release));
        add("settings.txt", shown::toString);
        add("health.json", () -> {
            Settings.Listener listener = settings.get().listener();
            return response(listener.host(), listener.port(), "/health", List.of());
        });
        add("metrics.txt", () -> metrics(settings.get()));
        addProcess(settings);
        addDatabase(settings);
        add("logs/postgres.log", () -> {
            Path log = InstallationDatabase.embedded(settings.get().storage()).resolve("postgres.log");
            return output(List.of("tail", "--lines=" + LOG_LINES, log.toString()));
        });
        add(
                "logs/service.log",
                () -> output(List.of("journalctl", "--unit=parley", "--no-pager", "--lines=" + LOG_LINES)));
        contents.add("");
        contents.add("Not collected:");
        contents.addAll(missing);
        add(CONTENTS, () -> String.join("\n", contents));
        zip.finish();
    }

    private void addSecret(Callable<Path> file) {
        try {
            secrets.add(Files.readString(file.call()).strip());
        } catch (Exception _) {
            // There is none, or this user cannot read it, so no part can contain it.
        }
    }

    private void add(String name, Callable<String> part) throws IOException {
        String text;
        try {
            text = part.call();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (Exception e) {
            missing.add(name + " (" + reason(e) + ")");
            return;
        }
        contents.add(name);
        zip.putNextEntry(new ZipEntry(name));
        zip.write(redacted(text).getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }

    private String reason(Exception e) {
        return redacted(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }

    /** The last guard; parts are chosen so that they have no secrets. */
    private String redacted(String text) {
        String redacted = text;
        for (String secret : secrets) {
            redacted = secret.isEmpty() ? redacted : redacted.replace(secret, "…");
        }
        return redacted;
    }

    private static String versions(String release) {
        return String.join(
                "\n",
                "parley " + release,
                "at " + Instant.now(),
                "java " + Runtime.version() + ", " + System.getProperty("java.vm.name"),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors() + " cores");
    }

    private static String metrics(BundleSettings settings) throws Exception {
        Settings.Monitoring monitoring = settings.monitoring();
        Settings.Listener listener = settings.listener();
        boolean isSeparate = monitoring.port().isPresent();
        return response(
                isSeparate ? monitoring.host() : listener.host(),
                monitoring.port().orElse(listener.port()),
                "/metrics",
                monitoring.token().stream()
                        .map(token -> new EgressRequest.Header("Authorization", "Bearer " + token))
                        .toList());
    }

    private static String response(String host, int port, String path, List<EgressRequest.Header> headers)
            throws Exception {
        String address = Set.of("0.0.0.0", "::").contains(host) ? "127.0.0.1" : host;
        var rules = new EgressRules(EgressAllow.none().plus(address, port));
        try (var client = new EgressClient(rules)) {
            return client.execute(EgressRequest.get("http://" + address + ":" + port + path)
                            .withHeaders(headers)
                            .withDeadline(DEADLINE)
                            .withMaxResponseBytes(MAX_RESPONSE_BYTES))
                    .text();
        }
    }

    /** Of the service of this installation, if this user may attach to it. */
    private void addProcess(Supplier<BundleSettings> settings) throws IOException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        add("threads.txt", () -> output(List.of(jcmd, service(settings.get()), "Thread.print", "-l")));
        add("heap.txt", () -> output(List.of(jcmd, service(settings.get()), "GC.class_histogram")));
    }

    /** The process that took the lock of the data directory last. */
    private static String service(BundleSettings settings) throws IOException {
        Path lock = InstallationDatabase.lock(settings.storage());
        String pid = Files.exists(lock) ? Files.readString(lock).strip() : "";
        if (pid.isEmpty() || ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
            throw new IOException("the service does not run");
        }
        return pid;
    }

    private static String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        CompletableFuture.delayedExecutor(COMMAND_SECONDS, TimeUnit.SECONDS).execute(process::destroyForcibly);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException(command.getFirst() + " failed with status " + status + ": " + output.strip());
        }
        return output;
    }

    /** Does not start an embedded PostgreSQL: why it does not run may be what is to be found. */
    private void addDatabase(Supplier<BundleSettings> settings) throws IOException {
        try (Database database = settings.get()
                .database()
                .external()
                .map(where -> InstallationDatabase.connect(where, 1))
                .or(() -> EmbeddedPostgres.connectToRunning(
                        InstallationDatabase.embedded(settings.get().storage())))
                .orElseThrow(() -> new IllegalStateException("the embedded PostgreSQL does not run"))) {
            for (DatabaseQueries query : DatabaseQueries.values()) {
                add("database/" + query.fileName(), () -> table(database, query.sql()));
            }
        } catch (RuntimeException e) {
            missing.add("database (" + reason(e) + ")");
        }
    }

    private static String table(Database database, String sql) {
        List<Map<String, Object>> rows =
                database.with(handle -> handle.select(sql).mapToMap().list());
        return rows.stream()
                .map(row -> row.entrySet().stream()
                        .map(column -> column.getKey() + "=" + column.getValue())
                        .collect(Collectors.joining("\t")))
                .collect(Collectors.joining("\n"));
    }
}
