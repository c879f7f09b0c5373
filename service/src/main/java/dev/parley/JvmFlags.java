package dev.parley;

import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;

/** Prints the flags of the JVM that fit this machine, one a line. The launcher runs it before each start. */
public final class JvmFlags {
    private static final int REFUSED = 2;

    private JvmFlags() {}

    public static void main(String[] args) {
        try {
            Settings.loadSize().jvmFlags().forEach(System.out::println);
        } catch (SettingsException e) {
            System.err.println("parley: " + e.getMessage());
            System.exit(REFUSED);
        }
    }
}
