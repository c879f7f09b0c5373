package dev.parley;

import dev.parley.settings.MachineSize;
import dev.parley.settings.ServiceSize;

/** Sizes for objects that tests create themselves. */
public final class TestSize {
    public static final ServiceSize SMALLEST = ServiceSize.of(MachineSize.SMALLEST);

    private TestSize() {}
}
