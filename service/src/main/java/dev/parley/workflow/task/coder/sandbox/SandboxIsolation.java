package dev.parley.workflow.task.coder.sandbox;

import dev.parley.workflow.task.coder.sandbox.host.HostTools;
import dev.parley.workflow.task.coder.sandbox.host.LowPriority;
import dev.parley.workflow.task.coder.sandbox.host.UnusedUserIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The operating system's isolation of a child process. Detected by trying combinations from strongest to none and using
 * the first in which a child starts. The locked-down interpreter and the separate process are always active; these
 * layers limit the damage of an escape from the interpreter.
 *
 * @param outside programs that get the child's command before its user changes
 * @param users the ids, one for each child; null if the service cannot change its user
 * @param inside programs that run as the child's user
 * @param namespaces the child's view of the machine
 * @param limits of CPU time, address space, files, and of threads if {@link #countsThreads}
 */
public record SandboxIsolation(
        List<String> outside,
        @Nullable UnusedUserIds users,
        List<String> inside,
        Namespaces namespaces,
        boolean limits) {
    /** The overflow user inside bubblewrap's namespace, which belongs to no account. */
    private static final String NOBODY = "65534";

    private static final int THREADS = 128;
    private static final int OPEN_FILES = 256;
    private static final long PROBE_SECONDS = 120;

    /** The kernel namespaces of a child. */
    enum Namespaces {
        /** No network, no files except the child's own, no other processes visible. */
        BUBBLEWRAP,
        /** The same without isolated files. */
        UNSHARE,
        NONE
    }

    /** The programs that create the namespaces. */
    private record NamespaceCommand(Namespaces kind, List<String> command) {}

    public SandboxIsolation {
        outside = List.copyOf(outside);
        inside = List.copyOf(inside);
    }

    /** Only the layers that are always active. */
    static SandboxIsolation none(List<String> outside) {
        return new SandboxIsolation(outside, null, List.of(), Namespaces.NONE, false);
    }

    /** Whether everything that {@code PARLEY_CODER_SANDBOX=strict} requires is active. */
    public boolean strong() {
        return namespaces == Namespaces.BUBBLEWRAP && limits;
    }

    /** Whether killing the first process kills all its descendants. */
    boolean endsWhole() {
        return namespaces == Namespaces.BUBBLEWRAP;
    }

    /** The layers in words, for the banner and the health endpoint. */
    public List<String> names() {
        List<String> names = new ArrayList<>(List.of("locked interpreter", "own process"));
        switch (namespaces) {
            case BUBBLEWRAP -> names.add("namespaces (bubblewrap)");
            case UNSHARE -> names.add("namespaces without files (unshare)");
            case NONE -> {}
        }
        if (users != null || namespaces == Namespaces.BUBBLEWRAP) {
            names.add("own user");
        }
        if (limits) {
            names.add(countsThreads() ? "limits (prlimit)" : "limits without threads (prlimit)");
        }
        return List.copyOf(names);
    }

    /** The layers that installing bubblewrap would add; empty if it is in use. */
    public Optional<String> bubblewrapAdds() {
        return switch (namespaces) {
            case BUBBLEWRAP -> Optional.empty();
            case UNSHARE -> Optional.of("a file system with nothing but the interpreter");
            case NONE -> Optional.of("no network, a file system with nothing but the interpreter, no other processes");
        };
    }

    /** The command of a child with these layers and a user id that no other child has. */
    List<String> command(List<String> child) {
        List<String> command = new ArrayList<>(outside);
        if (users != null) {
            long id = users.next();
            command.addAll(List.of("--reuid=" + id, "--regid=" + id, "--clear-groups", "--no-new-privs"));
        }
        command.addAll(inside);
        command.addAll(child);
        return command;
    }

    /**
     * The kernel counts threads per user id within a user namespace. Without a namespace or user id of its own, a
     * child's limit would include all threads of the service's user.
     */
    private boolean countsThreads() {
        return countsThreads(users, namespaces);
    }

    private static boolean countsThreads(@Nullable UnusedUserIds users, Namespaces namespaces) {
        return users != null || namespaces != Namespaces.NONE;
    }

    static SandboxIsolation detect(SandboxInstallation installation, SandboxLimits limits, HostTools tools) {
        List<String> nice = LowPriority.nice(tools);
        for (SandboxIsolation candidate : candidates(installation, limits, tools)) {
            // Tried at the service's priority, and patiently: a busy machine must not weaken the isolation.
            if (runs(candidate.command(installation.check()))) {
                return candidate.behind(nice);
            }
        }
        return none(nice);
    }

    private SandboxIsolation behind(List<String> tools) {
        return new SandboxIsolation(
                Stream.concat(tools.stream(), outside.stream()).toList(), users, inside, namespaces, limits);
    }

    private static List<SandboxIsolation> candidates(
            SandboxInstallation installation, SandboxLimits limits, HostTools tools) {
        List<String> session = session(tools);
        List<String> diesWithService = diesWithService(tools);
        Optional<String> setpriv = tools.find("setpriv").filter(_ -> isRoot());
        Optional<UnusedUserIds> users = setpriv.flatMap(_ -> UnusedUserIds.ofThisMachine());
        List<SandboxIsolation> candidates = new ArrayList<>();
        for (NamespaceCommand around : namespaces(installation, tools)) {
            for (Optional<UnusedUserIds> own : alternatives(users)) {
                for (Optional<String> prlimit : alternatives(tools.find("prlimit"))) {
                    List<String> outside = new ArrayList<>(session);
                    own.flatMap(_ -> setpriv).ifPresent(outside::add);
                    List<String> inside = new ArrayList<>(diesWithService);
                    inside.addAll(around.command);
                    prlimit.ifPresent(program -> {
                        inside.add(program);
                        inside.addAll(limitOptions(limits, countsThreads(own.orElse(null), around.kind)));
                    });
                    candidates.add(
                            new SandboxIsolation(outside, own.orElse(null), inside, around.kind, prlimit.isPresent()));
                }
            }
        }
        return candidates;
    }

    /** With the program, and without it as the fallback. */
    private static <T> List<Optional<T>> alternatives(Optional<T> program) {
        return program.isPresent() ? List.of(program, Optional.empty()) : List.of(program);
    }

    /** From strongest to none. */
    private static List<NamespaceCommand> namespaces(SandboxInstallation installation, HostTools tools) {
        List<NamespaceCommand> found = new ArrayList<>();
        bubblewrap(installation, tools)
                .ifPresent(command -> found.add(new NamespaceCommand(Namespaces.BUBBLEWRAP, command)));
        tools.find("unshare")
                .map(program ->
                        List.of(program, "--user", "--net", "--ipc", "--uts", "--pid", "--fork", "--kill-child", "--"))
                .ifPresent(command -> found.add(new NamespaceCommand(Namespaces.UNSHARE, command)));
        found.add(new NamespaceCommand(Namespaces.NONE, List.of()));
        return found;
    }

    /** A program for a session without a terminal, which can be killed as a whole. */
    static List<String> session(HostTools tools) {
        return tools.find("setsid").map(List::of).orElse(List.of());
    }

    /** A program that makes the kernel kill the child when the service ends. A change of the user would undo it. */
    static List<String> diesWithService(HostTools tools) {
        return tools.find("setpriv")
                .map(program -> List.of(program, "--pdeathsig", "KILL"))
                .filter(option -> tools.find("true")
                        .filter(end -> runs(
                                Stream.concat(option.stream(), Stream.of(end)).toList()))
                        .isPresent())
                .orElse(List.of());
    }

    private static List<String> limitOptions(SandboxLimits limits, boolean countsThreads) {
        long cpu = limits.time().toSeconds() * 2 + 30;
        long space = ((long) limits.memoryMegabytes() * 2 + 3_072) << 20;
        List<String> options = new ArrayList<>(
                // With a higher hard limit, the exit code shows that it was this one.
                List.of(
                        "--cpu=" + cpu + ":" + (cpu + 5),
                        "--as=" + space,
                        "--fsize=0",
                        "--core=0",
                        "--nofile=" + OPEN_FILES));
        if (countsThreads) {
            options.add("--nproc=" + THREADS);
        }
        options.add("--");
        return options;
    }

    private static Optional<List<String>> bubblewrap(SandboxInstallation installation, HostTools tools) {
        Optional<String> program = tools.find("bwrap");
        if (program.isEmpty()) {
            return Optional.empty();
        }
        List<String> command = new ArrayList<>(List.of(
                program.get(),
                "--unshare-all",
                "--unshare-user",
                "--disable-userns",
                "--uid",
                NOBODY,
                "--gid",
                NOBODY,
                "--hostname",
                "sandbox",
                "--die-with-parent",
                "--clearenv",
                "--proc",
                "/proc",
                "--dev",
                "/dev",
                "--tmpfs",
                "/tmp"));
        if (session(tools).isEmpty()) {
            // Otherwise the whole chain of programs is already in a session of its own and stays in it ({@link
            // LowPriority}).
            command.add("--new-session");
        }
        for (String system : List.of("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache")) {
            readOnly(command, Path.of(system));
        }
        tools.find("prlimit").ifPresent(path -> readOnly(command, Path.of(path)));
        installation.readable().forEach(path -> readOnly(command, path));
        command.addAll(List.of("--chdir", "/tmp", "--"));
        return Optional.of(command);
    }

    private static void readOnly(List<String> command, Path path) {
        if (Files.isSymbolicLink(path)) {
            try {
                command.addAll(List.of("--symlink", Files.readSymbolicLink(path).toString(), path.toString()));
            } catch (IOException _) {
                // Then detection fails and the next combination is tried.
            }
        } else if (Files.exists(path)) {
            command.addAll(List.of("--ro-bind", path.toString(), path.toString()));
        }
    }

    private static boolean runs(List<String> command) {
        try {
            Process process = ChildProcess.builder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException _) {
            return false;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException | UnsupportedOperationException _) {
            return "root".equals(System.getProperty("user.name"));
        }
    }
}
