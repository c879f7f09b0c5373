package dev.parley.workflow.task.coder.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What the operating system puts around a child process, found out by trying: the first of the combinations that a
 * child starts in is taken, from the strongest to none. The locked interpreter and the process of its own are always
 * there; these are for the day on which somebody gets out of the interpreter.
 *
 * @param before the programs that the child's command is given to
 * @param namespaces no network, no files but the child's own, no other processes to be seen
 * @param network namespaces without the files: {@code unshare} where there is no bubblewrap
 * @param ownUser another user than the service's
 * @param limits of CPU time, address space, files, and of processes where the user is not root
 */
public record Layers(List<String> before, boolean namespaces, boolean network, boolean ownUser, boolean limits) {
    /** {@code nobody}, who owns nothing. */
    private static final String NOBODY = "65534";

    private static final int THREADS = 128;
    private static final int OPEN_FILES = 256;
    private static final long PROBE_SECONDS = 20;

    public Layers {
        before = List.copyOf(before);
    }

    /** Whether everything is there that {@code PARLEY_CODER_SANDBOX=strict} asks for. */
    public boolean strong() {
        return namespaces && limits;
    }

    /** In words, for the banner and the health endpoint. */
    public List<String> names() {
        List<String> names = new ArrayList<>(List.of("locked interpreter", "own process"));
        if (namespaces) {
            names.add("namespaces (bubblewrap)");
        } else if (network) {
            names.add("namespaces without files (unshare)");
        }
        if (ownUser) {
            names.add("own user");
        }
        if (limits) {
            names.add("limits (prlimit)");
        }
        return List.copyOf(names);
    }

    static Layers detect(SandboxHome home, SandboxLimits limits, Programs programs) {
        List<String> last = last(programs);
        for (Layers candidate : candidates(home, limits, programs)) {
            // Tried with the priority of the service: on a busy machine the last would not be there in time.
            if (runs(candidate.before, home.check())) {
                return candidate.behind(last);
            }
        }
        return new Layers(last, false, false, false, false);
    }

    private Layers behind(List<String> programs) {
        return new Layers(
                Stream.concat(programs.stream(), before.stream()).toList(), namespaces, network, ownUser, limits);
    }

    private static List<Layers> candidates(SandboxHome home, SandboxLimits limits, Programs programs) {
        List<String> common = new ArrayList<>();
        // A new session has no terminal.
        programs.find("setsid").ifPresent(common::add);
        List<String> user = programs.find("setpriv")
                .filter(_ -> isRoot())
                .map(setpriv ->
                        List.of(setpriv, "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--no-new-privs"))
                .orElse(List.of());
        List<String> prlimit = prlimit(limits, programs);
        List<String> bubble = bubblewrap(home, programs);
        List<String> unshare = programs.find("unshare")
                .map(program ->
                        List.of(program, "--user", "--net", "--ipc", "--uts", "--pid", "--fork", "--kill-child", "--"))
                .orElse(List.of());
        List<Layers> candidates = new ArrayList<>();
        for (List<String> around : List.of(bubble, unshare, List.<String>of())) {
            for (List<String> as : user.isEmpty() ? List.of(user) : List.of(user, List.<String>of())) {
                for (List<String> limit : prlimit.isEmpty() ? List.of(prlimit) : List.of(prlimit, List.<String>of())) {
                    if (around.isEmpty() && !bubble.equals(around) && as.isEmpty() && limit.isEmpty()) {
                        continue;
                    }
                    List<String> before = new ArrayList<>(common);
                    before.addAll(as);
                    before.addAll(around);
                    before.addAll(limit);
                    boolean bubbled = !around.isEmpty() && around.equals(bubble);
                    candidates.add(new Layers(
                            before,
                            bubbled,
                            !around.isEmpty() && !bubbled,
                            !as.isEmpty() || bubbled,
                            !limit.isEmpty()));
                }
            }
        }
        candidates.add(new Layers(common, false, false, false, false));
        return candidates;
    }

    /**
     * What the service's clients wait for goes before user code: the policy of those who run when nobody else does,
     * which few systems forbid, or else a low priority.
     */
    private static List<String> last(Programs programs) {
        Optional<List<String>> idle = programs.find("chrt")
                .map(chrt -> List.of(chrt, "--idle", "0"))
                .filter(policy -> programs.find("true")
                        .filter(done -> runs(policy, List.of(done)))
                        .isPresent());
        return idle.orElseGet(() ->
                programs.find("nice").map(nice -> List.of(nice, "-n", "10")).orElse(List.of()));
    }

    /** Inside the namespaces, so that processes are counted there and not among everything that the user runs. */
    private static List<String> prlimit(SandboxLimits limits, Programs programs) {
        long cpu = limits.time().toSeconds() * 2 + 30;
        long space = ((long) limits.memoryMegabytes() * 2 + 3_072) << 20;
        return programs.find("prlimit")
                .map(program -> List.of(
                        program,
                        "--cpu=" + cpu,
                        "--as=" + space,
                        "--fsize=0",
                        "--core=0",
                        "--nofile=" + OPEN_FILES,
                        "--nproc=" + THREADS,
                        "--"))
                .orElse(List.of());
    }

    private static List<String> bubblewrap(SandboxHome home, Programs programs) {
        Optional<String> program = programs.find("bwrap");
        if (program.isEmpty()) {
            return List.of();
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
        if (programs.find("setsid").isEmpty()) {
            // Else the whole chain of programs is in a session of its own already, and stays in that (Backseat).
            command.add("--new-session");
        }
        for (String system : List.of("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache")) {
            readOnly(command, Path.of(system));
        }
        programs.find("prlimit").ifPresent(path -> readOnly(command, Path.of(path)));
        home.readable().forEach(path -> readOnly(command, path));
        command.addAll(List.of("--chdir", "/tmp", "--"));
        return command;
    }

    private static void readOnly(List<String> command, Path path) {
        if (Files.isSymbolicLink(path)) {
            try {
                command.addAll(List.of("--symlink", Files.readSymbolicLink(path).toString(), path.toString()));
            } catch (IOException _) {
                // Then the trial fails, and the next combination is tried.
            }
        } else if (Files.exists(path)) {
            command.addAll(List.of("--ro-bind", path.toString(), path.toString()));
        }
    }

    private static boolean runs(List<String> before, List<String> program) {
        List<String> command = new ArrayList<>(before);
        command.addAll(program);
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
