package dev.parley.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.settings.Setting;
import dev.parley.settings.SettingsException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WritableDirectoryTest {
    @TempDir
    private Path home;

    @Test
    void aDirectoryIsCreatedAndLeftEmpty() throws Exception {
        Path directory = home.resolve("a/b");
        WritableDirectory.require(Setting.PARLEY_DATA, directory);
        try (var files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void whatCannotBeWrittenIsRefusedWithItsReason() throws Exception {
        Path file = Files.writeString(home.resolve("file"), "x");
        Path broken = Files.createSymbolicLink(home.resolve("broken"), home.resolve("missing"));
        assertRefused(file, "is not a directory.");
        assertRefused(file.resolve("below"), "");
        assertRefused(broken, "is not a directory.");
        assertRefused(Path.of("/proc/parley"), "cannot be created.");
    }

    private static void assertRefused(Path directory, String reason) {
        assertThatThrownBy(() -> WritableDirectory.require(Setting.PARLEY_DATA, directory))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith(
                        "PARLEY_DATA leads to the directory " + directory + ", which cannot be written: ")
                .hasMessageNotContaining("Exception")
                .hasMessageEndingWith(reason);
    }

    /** The whole entry point, which ends before it starts anything. */
    @Test
    void theServiceRefusesToStart() throws Exception {
        Path file = Files.writeString(home.resolve("file"), "x");
        assertThat(start(file, "exec")).contains("parley: PARLEY_DATA leads to the directory " + file);
    }

    @Test
    @Tag("all")
    void theServiceRefusesToStartOnAFullOrReadOnlyFileSystem() throws Exception {
        Path disk = Files.createDirectories(home.resolve("disk"));
        assertThat(start(disk, "mount -t tmpfs -o size=32k tmpfs " + disk + " && exec"))
                .contains(", which cannot be written: No space left on device.");
        assertThat(start(disk, "mount -t tmpfs -o ro tmpfs " + disk + " && exec"))
                .contains(", which cannot be written: Read-only file system.");
    }

    /** In a mount namespace of its own, which the kernel removes with the process. */
    private static String start(Path data, String before) throws Exception {
        String java = before + " \"$0\" \"$@\"";
        var command = new java.util.ArrayList<>(
                before.equals("exec") ? List.of("sh", "-c", java) : List.of("unshare", "-rm", "sh", "-c", java));
        command.addAll(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.parley.Parley"));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("PARLEY_"));
        builder.environment().put("PARLEY_PORT", "0");
        builder.environment().put("PARLEY_DATA", data.toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(said).isEqualTo(2);
        return said;
    }
}
