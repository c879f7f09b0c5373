package dev.parley.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.settings.ServiceSize.Collector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceSizeTest {
    private static final String BEGIN =
            "<!-- sizes: made from dev.parley.settings.ServiceSize; ServiceSizeTest compares -->\n";
    private static final String END = "<!-- end of sizes -->";
    private static final List<MachineSize> MACHINES = List.of(
            MachineSize.SMALLEST,
            new MachineSize(2, 8_192),
            new MachineSize(4, 8_192),
            new MachineSize(8, 16_384),
            new MachineSize(16, 32_768));

    /** The figures of the service before it adapted to the machine. */
    @Test
    void twoCoresAndOneGiBStaySmall() {
        ServiceSize size = ServiceSize.of(MachineSize.SMALLEST);
        assertThat(size)
                .isEqualTo(new ServiceSize(MachineSize.SMALLEST, Collector.SERIAL, 136, 64, 2, 12, 2, 4, 1, 2, 64));
        assertThat(size.requestConnections()).isEqualTo(4);
        assertThat(size.concurrentReads()).isEqualTo(4);
        assertThat(size.commits()).isEqualTo(new CommitCapacity(2, 20_000, 16 << 20));
        assertThat(size.instanceCommits().writers()).isEqualTo(1);
        assertThat(size.postgres()).isEqualTo(new PostgresSize(64, 140, 1_024));
        assertThat(List.of(size.byCores(7), size.byHeap(7), size.byCoresAndHeap(7)))
                .containsOnly(7);
    }

    @Test
    void aSmallerMachineGetsTheSmallestSize() {
        ServiceSize tiny = ServiceSize.of(new MachineSize(1, 512));
        assertThat(tiny)
                .usingRecursiveComparison()
                .ignoringFields("machine")
                .isEqualTo(ServiceSize.of(MachineSize.SMALLEST));
    }

    @Test
    void sixteenCoresHaveMoreOfEverything() {
        ServiceSize small = ServiceSize.of(MachineSize.SMALLEST);
        ServiceSize large = ServiceSize.of(new MachineSize(16, 32_768));
        List<Function<ServiceSize, Integer>> numbers = List.of(
                ServiceSize::heapMegabytes,
                ServiceSize::directMegabytes,
                ServiceSize::eventLoops,
                ServiceSize::databaseConnections,
                ServiceSize::requestConnections,
                ServiceSize::concurrentReads,
                ServiceSize::commitWriters,
                size -> size.instanceCommits().writers(),
                ServiceSize::coderParallel,
                ServiceSize::coderPool,
                ServiceSize::documentReaders,
                ServiceSize::sharedBuffersMegabytes,
                size -> size.byCores(100),
                size -> size.byHeap(100),
                size -> size.byCoresAndHeap(100));
        assertThat(numbers).allSatisfy(number -> assertThat(number.apply(large)).isGreaterThan(number.apply(small)));
        assertThat(large.collector()).isEqualTo(Collector.G1);
    }

    /** Cores need memory: many of them in little memory must not fill it. */
    @Test
    void littleMemoryLimitsTheSizesOfManyCores() {
        ServiceSize size = ServiceSize.of(new MachineSize(16, 1_024));
        assertThat(size.collector()).isEqualTo(Collector.SERIAL);
        assertThat(size.heapMegabytes()).isEqualTo(136);
        assertThat(size.databaseConnections()).isEqualTo(16);
        assertThat(size.coderParallel()).isEqualTo(4);
        assertThat(size.documentReaders()).isEqualTo(2);
        assertThat(size.byCoresAndHeap(100)).isEqualTo(100);
        assertThat(size.eventLoops()).isEqualTo(16);
    }

    @Test
    void everyMachineKeepsMostOfItsMemoryForOthers() {
        for (int cores = 1; cores <= 64; cores++) {
            for (int memory = 1_024; memory <= 1 << 18; memory *= 2) {
                ServiceSize size = ServiceSize.of(new MachineSize(cores, memory));
                assertThat(size.heapMegabytes() + size.directMegabytes() + size.sharedBuffersMegabytes())
                        .as("%d cores, %d MiB", cores, memory)
                        .isLessThan(memory / 3);
                assertThat(size.postgres().connections())
                        .isGreaterThan(size.databaseConnections() + size.requestConnections());
            }
        }
    }

    @Test
    void theJvmGetsFlags() {
        assertThat(ServiceSize.of(new MachineSize(16, 32_768)).jvmFlags())
                .containsExactly(
                        "-XX:ActiveProcessorCount=16",
                        "-XX:+UseG1GC",
                        "-Xms1860m",
                        "-Xmx3720m",
                        "-XX:MaxDirectMemorySize=930m");
    }

    @ParameterizedTest
    @CsvSource({
        "PARLEY_HEAP,200",
        "PARLEY_DIRECT_MEMORY,201",
        "PARLEY_EVENT_LOOPS,202",
        "PARLEY_DB_POOL,203",
        "PARLEY_COMMIT_WRITERS,23",
        "PARLEY_CODER_PARALLEL,24",
        "PARLEY_CODER_POOL,9",
        "PARLEY_DOCUMENT_READERS,25",
        "PARLEY_DB_SHARED_BUFFERS,204",
    })
    void aSettingOverridesOneSize(Setting setting, int value) {
        ServiceSize size = Settings.of(Map.of(setting, Integer.toString(value))).size();
        assertThat(List.of(
                        size.heapMegabytes(),
                        size.directMegabytes(),
                        size.eventLoops(),
                        size.databaseConnections(),
                        size.commitWriters(),
                        size.coderParallel(),
                        size.coderPool(),
                        size.documentReaders(),
                        size.sharedBuffersMegabytes()))
                .containsOnlyOnce(value);
    }

    @Test
    void coresAndMemoryOverrideAllSizes() {
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        values.put(Setting.PARLEY_CORES, "8");
        values.put(Setting.PARLEY_MEMORY, "16384");
        assertThat(Settings.of(values).size()).isEqualTo(ServiceSize.of(new MachineSize(8, 16_384)));
        values.put(Setting.PARLEY_COLLECTOR, "parallel");
        assertThat(Settings.of(values).size().jvmFlags())
                .contains("-XX:+UseParallelGC")
                .doesNotContain("-XX:+UseG1GC");
    }

    /** Flags may give the JVM another heap than the launcher would: buffers follow the real one. */
    @Test
    void aRunningJvmHasTheLastWord() {
        ServiceSize size = ServiceSize.of(MachineSize.SMALLEST).with(new RunningJvm(272, Optional.of(Collector.G1)));
        assertThat(size.byHeap(100)).isEqualTo(200);
        assertThat(size.text().getFirst()).contains("heap 272 MiB (G1)");
        assertThat(RunningJvm.current().heapMegabytes()).isPositive();
        assertThat(RunningJvm.current().collector()).isPresent();
    }

    @Test
    void theTableInTheDocumentationShowsTheChosenSizes() throws Exception {
        String page = Files.readString(Path.of("../docs/operations.md"));

        assertThat(page).contains(BEGIN, END);
        assertThat(page.substring(page.indexOf(BEGIN) + BEGIN.length(), page.indexOf(END)))
                .as("replace the table in docs/operations.md by this one")
                .isEqualTo(table());
    }

    @Test
    void theGuideCountsTheConnectionsOfANode() throws Exception {
        String guide = Files.readString(Path.of("../docs/one-node-to-many.md"));
        // Four more are for the lease (2), events and notifications.
        for (MachineSize machine : MACHINES) {
            ServiceSize size = ServiceSize.of(machine);
            int common = size.databaseConnections();
            int forRequests = size.requestConnections();
            assertThat(guide)
                    .containsPattern("\\| %d cores[^|]*\\| %d \\| %d \\| 4 \\| %d \\|"
                            .formatted(machine.cores(), common, forRequests, common + forRequests + 4));
        }
    }

    private static String table() {
        return row(
                        "",
                        machine -> "%d cores, %d GiB".formatted(machine.cores(), machine.memoryMegabytes() / 1_024),
                        "Setting")
                + "|---|" + "---:|".repeat(MACHINES.size()) + "---|\n"
                + size("Heap, MiB", ServiceSize::heapMegabytes, "`PARLEY_HEAP`")
                + row(
                        "Collector",
                        machine -> ServiceSize.of(machine).collector().text(),
                        "`PARLEY_COLLECTOR`")
                + size("Direct memory, MiB", ServiceSize::directMegabytes, "`PARLEY_DIRECT_MEMORY`")
                + size("Event loops", ServiceSize::eventLoops, "`PARLEY_EVENT_LOOPS`")
                + size("Database connections, common pool", ServiceSize::databaseConnections, "`PARLEY_DB_POOL`")
                + size(
                        "Database connections for requests",
                        ServiceSize::requestConnections,
                        "follows the commit writers")
                + size(
                        "Commit writers of messages, and of journals",
                        ServiceSize::commitWriters,
                        "`PARLEY_COMMIT_WRITERS`")
                + size(
                        "Commit writers of instances",
                        size -> size.instanceCommits().writers(),
                        "follows those of messages")
                + size("Conversations processed at once", size -> size.byCoresAndHeap(128), "follows cores and heap")
                + size("Webhooks in delivery at once", size -> size.byCoresAndHeap(600), "follows cores and heap")
                + size("Coder tasks at once", ServiceSize::coderParallel, "`PARLEY_CODER_PARALLEL`")
                + size("Idle interpreters per language", ServiceSize::coderPool, "`PARLEY_CODER_POOL`")
                + size("Document readers", ServiceSize::documentReaders, "`PARLEY_DOCUMENT_READERS`")
                + size("Password hashes at once", size -> size.byCores(2), "follows the cores")
                + size(
                        "Embedded PostgreSQL: `shared_buffers`, MiB",
                        ServiceSize::sharedBuffersMegabytes,
                        "`PARLEY_DB_SHARED_BUFFERS`")
                + size(
                        "Embedded PostgreSQL: `max_wal_size`, MiB",
                        size -> size.postgres().maxWalMegabytes(),
                        "follows the cores");
    }

    private static String size(String name, Function<ServiceSize, Integer> number, String setting) {
        return row(name, machine -> "%,d".formatted(number.apply(ServiceSize.of(machine))), setting);
    }

    private static String row(String name, Function<MachineSize, String> cell, String setting) {
        return Stream.concat(Stream.concat(Stream.of(name), MACHINES.stream().map(cell)), Stream.of(setting))
                .collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
