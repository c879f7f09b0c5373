package dev.parley.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the limits of cgroups from files such as the kernel's. */
class MachineSizeTest {
    private static final String UNLIMITED = "9223372036854771712";

    @TempDir
    private Path root;

    @BeforeEach
    void aMachineWith32GiB() throws IOException {
        file("proc/meminfo", "MemTotal:       33554432 kB\nMemFree:        1234 kB\n");
    }

    private void file(String path, String content) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private MachineSize size() {
        return MachineSize.read(root, 16);
    }

    @Test
    void aMachineWithoutCgroupsHasAllOfIt() {
        assertThat(size()).isEqualTo(new MachineSize(16, 32_768));
    }

    @Test
    void aGroupWithoutLimitsHasTheWholeMachine() throws IOException {
        file("proc/self/cgroup", "0::/system.slice/parley.service\n");
        file("sys/fs/cgroup/system.slice/parley.service/memory.max", "max\n");
        file("sys/fs/cgroup/system.slice/parley.service/cpu.max", "max 100000\n");
        assertThat(size()).isEqualTo(new MachineSize(16, 32_768));
    }

    @Test
    void aContainerSeesItsOwnGroupAsTheRoot() throws IOException {
        file("proc/self/cgroup", "0::/\n");
        file("sys/fs/cgroup/memory.max", "1073741824\n");
        file("sys/fs/cgroup/cpu.max", "200000 100000\n");
        assertThat(size()).isEqualTo(new MachineSize(2, 1_024));
    }

    @Test
    void theLowestLimitOfAllGroupsAboveCounts() throws IOException {
        file("proc/self/cgroup", "0::/kubepods/pod7/main\n");
        file("sys/fs/cgroup/kubepods/memory.max", "17179869184\n");
        file("sys/fs/cgroup/kubepods/cpu.max", "350000 100000\n");
        file("sys/fs/cgroup/kubepods/pod7/memory.max", "4294967296\n");
        file("sys/fs/cgroup/kubepods/pod7/cpu.max", "max 100000\n");
        file("sys/fs/cgroup/kubepods/pod7/main/memory.max", "max\n");
        file("sys/fs/cgroup/kubepods/pod7/main/cpu.max", "800000 100000\n");
        assertThat(size()).isEqualTo(new MachineSize(4, 4_096));
    }

    @Test
    void readsVersion1WithOneHierarchyPerController() throws IOException {
        file("proc/self/cgroup", "9:name=systemd:/\n4:memory:/docker/a1\n1:cpu,cpuacct:/docker/a1\n0::/\n");
        file("sys/fs/cgroup/memory/memory.limit_in_bytes", UNLIMITED + "\n");
        file("sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "8589934592\n");
        file("sys/fs/cgroup/memory/docker/a1/memory.limit_in_bytes", UNLIMITED + "\n");
        file("sys/fs/cgroup/cpu,cpuacct/docker/a1/cpu.cfs_quota_us", "400000\n");
        file("sys/fs/cgroup/cpu,cpuacct/docker/a1/cpu.cfs_period_us", "100000\n");
        file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
        file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
        assertThat(size()).isEqualTo(new MachineSize(4, 8_192));
    }

    /** Without a namespace of its own a container sees the path of its host, but mounts only its own group. */
    @Test
    void aPathOfTheHostEndsAtTheMountedRoot() throws IOException {
        file("proc/self/cgroup", "4:memory:/docker/a1\n1:cpu:/docker/a1\n");
        file("sys/fs/cgroup/memory/memory.limit_in_bytes", "2147483648\n");
        file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
        file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
        assertThat(size()).isEqualTo(new MachineSize(1, 2_048));
    }

    @Test
    void aLimitAboveTheMachineChangesNothing() throws IOException {
        file("proc/self/cgroup", "0::/\n");
        file("sys/fs/cgroup/memory.max", "99999999999999999999\n");
        file("sys/fs/cgroup/cpu.max", "6400000 100000\n");
        assertThat(size()).isEqualTo(new MachineSize(16, 32_768));
    }

    @Test
    void unreadableFilesCountAsTheSmallestMemory() throws IOException {
        Files.delete(root.resolve("proc/meminfo"));
        assertThat(size()).isEqualTo(new MachineSize(16, MachineSize.SMALLEST.memoryMegabytes()));
    }

    @Test
    void detectsThisMachine() {
        MachineSize here = MachineSize.detect();
        assertThat(here.cores()).isBetween(1, Runtime.getRuntime().availableProcessors());
        assertThat(here.memoryMegabytes()).isPositive();
    }
}
