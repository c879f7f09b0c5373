package dev.parley.settings;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.parley.settings.ServiceSize.Collector;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Optional;

/**
 * The heap and the collector of a JVM, which flags may set to something other than {@link ServiceSize} chose.
 *
 * @param collector empty for one that the service does not choose
 */
record RunningJvm(int heapMegabytes, Optional<Collector> collector) {
    static RunningJvm current() {
        var vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        long heap = Long.parseLong(vm.getVMOption("MaxHeapSize").getValue());
        Optional<Collector> collector = Arrays.stream(Collector.values())
                .filter(one -> Boolean.parseBoolean(
                        vm.getVMOption("Use" + one.text() + "GC").getValue()))
                .findFirst();
        return new RunningJvm((int) (heap >> 20), collector);
    }
}
