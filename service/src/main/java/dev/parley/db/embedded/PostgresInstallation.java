package dev.parley.db.embedded;

import dev.parley.disk.FileTrees;
import dev.parley.disk.NativeLibraries;
import dev.parley.settings.SettingsException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The files of an embedded PostgreSQL: the binaries from the jar, the data directory, and the password.
 *
 * @param unprivileged the command prefix that keeps PostgreSQL's programs from running as root
 */
record PostgresInstallation(Path directory, Path binaries, String password, List<String> unprivileged) {
    static final String USER = "parley";

    /** The directory of a release with the unpacked binaries; the launcher sets it. */
    private static final String INSTALLED = "parley.postgres";

    private static final int NOBODY = 65_534;

    /** Every commit waits while a new segment is filled with zeros; with 16 MB that is noticeable. */
    private static final int WAL_SEGMENT_MB = 2;

    PostgresInstallation {
        unprivileged = List.copyOf(unprivileged);
    }

    /** Unpacks the binaries and creates the cluster, if missing. */
    static PostgresInstallation prepare(Path directory) throws IOException {
        Files.createDirectories(directory);
        Path binaries = unpack(directory);
        Path passwordFile = directory.resolve("password");
        if (!Files.exists(cluster(directory).resolve("PG_VERSION"))) {
            initialize(directory, binaries, passwordFile);
        }
        return new PostgresInstallation(directory, binaries, readPassword(directory), unprivileged(directory));
    }

    Path cluster() {
        return cluster(directory);
    }

    static String readPassword(Path directory) throws IOException {
        return Files.readString(directory.resolve("password")).strip();
    }

    static Path cluster(Path directory) {
        return directory.resolve("cluster");
    }

    Path log() {
        return directory.resolve("postgres.log");
    }

    /** The name that PostgreSQL shows in the command line of each of its processes; unique to this cluster. */
    String clusterName() throws IOException {
        return "parley-" + Files.getAttribute(cluster(), "unix:dev") + "-" + Files.getAttribute(cluster(), "unix:ino");
    }

    /**
     * Unpacks next to the data, under a name that includes the archive's size, so that an upgrade does not use old
     * binaries.
     */
    private static Path unpack(Path directory) throws IOException {
        String installed = System.getProperty(INSTALLED);
        if (installed != null) {
            return Path.of(installed).toAbsolutePath();
        }
        String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT).contains("aarch64") ? "arm_64" : "x86_64";
        String resource = "/postgres-linux-" + arch + ".txz";
        try (InputStream found = EmbeddedPostgres.class.getResourceAsStream(resource)) {
            if (found == null) {
                throw new SettingsException("There is no embedded PostgreSQL for this machine: set PARLEY_DB_URL.");
            }
            Path target = directory.resolve("binaries-" + arch + "-" + Integer.toHexString(found.available()));
            if (Files.exists(target.resolve("bin/postgres"))) {
                return target;
            }
            Path partial = Files.createTempDirectory(directory, "unpacking");
            Files.setPosixFilePermissions(partial, PosixFilePermissions.fromString("rwxr-xr-x"));
            extract(found, partial);
            Files.move(partial, target);
            return target;
        }
    }

    /** Deletes binaries of earlier releases, and incomplete ones of a killed start. */
    void deleteOthers() throws IOException {
        try (DirectoryStream<Path> others = Files.newDirectoryStream(directory, "{binaries-*,unpacking*}")) {
            for (Path other : others) {
                if (!other.equals(binaries)) {
                    FileTrees.delete(other);
                }
            }
        }
    }

    private static void extract(InputStream archive, Path target) throws IOException {
        try (var tar = new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = target.resolve(entry.getName()).normalize();
                if (!path.startsWith(target)) {
                    throw new IOException("an archive entry leaves its directory");
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                    continue;
                }
                Files.createDirectories(path.getParent());
                if (entry.isSymbolicLink()) {
                    Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
                } else {
                    Files.copy(tar, path);
                    boolean executable = (entry.getMode() & 0100) != 0;
                    Files.setPosixFilePermissions(
                            path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
                }
            }
        }
    }

    private static void initialize(Path directory, Path binaries, Path passwordFile) throws IOException {
        byte[] random = new byte[24];
        new SecureRandom().nextBytes(random);
        Files.deleteIfExists(passwordFile);
        Files.createFile(
                passwordFile, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(passwordFile, HexFormat.of().formatHex(random));
        // Recreates a cluster whose creation was interrupted.
        Path fresh = directory.resolve("cluster-new");
        FileTrees.delete(fresh);
        Files.createDirectory(
                fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        List<String> command = new ArrayList<>(unprivileged(directory));
        command.addAll(List.of(
                binaries.resolve("bin/initdb").toString(),
                "--pgdata=" + fresh,
                "--username=" + USER,
                "--pwfile=" + passwordFile,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--wal-segsize=" + WAL_SEGMENT_MB,
                "--no-instructions"));
        Path log = directory.resolve("initdb.log");
        Process initdb = builder(command, log).start();
        try {
            if (initdb.waitFor() != 0) {
                throw new SettingsException("The embedded PostgreSQL could not be set up; " + log + " says why.");
            }
        } catch (InterruptedException e) {
            initdb.destroyForcibly();
            throw new IOException("interrupted", e);
        }
        Files.move(fresh, cluster(directory));
    }

    static ProcessBuilder builder(List<String> command, Path log) {
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        // PostgreSQL must not inherit the service's environment, which contains secrets.
        String path = System.getenv("PATH");
        builder.environment().clear();
        builder.environment().put("PATH", path == null ? "/usr/sbin:/usr/bin:/sbin:/bin" : path);
        builder.environment().put("LC_ALL", "C");
        NativeLibraries.addTo(builder);
        return builder;
    }

    /** The command prefix: empty for ordinary users; for root, whatever drops its privileges. */
    private static List<String> unprivileged(Path directory) throws IOException {
        if (!"root".equals(System.getProperty("user.name"))) {
            return List.of();
        }
        Path cluster = cluster(directory);
        if (Files.exists(cluster) && !Files.getAttribute(cluster, "unix:uid").equals(0)) {
            // In a user namespace, root without its privileges could not read another user's files.
            return as(Files.getAttribute(cluster, "unix:uid"), Files.getAttribute(cluster, "unix:gid"));
        }
        if (succeeds("unshare", "--user", "true")) {
            return List.of("unshare", "--user");
        }
        if (!succeeds("chown", "-R", NOBODY + ":" + NOBODY, directory.toString())) {
            throw new SettingsException(
                    "The embedded PostgreSQL cannot run as root here: start Parley as another user or set PARLEY_DB_URL.");
        }
        return as(NOBODY, NOBODY);
    }

    private static List<String> as(Object user, Object group) {
        return List.of("setpriv", "--reuid=" + user, "--regid=" + group, "--clear-groups");
    }

    private static boolean succeeds(String... command) throws IOException {
        if (!onPath(command[0])) {
            return false;
        }
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return process.waitFor() == 0;
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    static boolean onPath(String program) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
        return Arrays.stream(path.split(":")).anyMatch(entry -> Files.isExecutable(Path.of(entry, program)));
    }
}
