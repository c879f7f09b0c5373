package dev.parley.disk;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The jars of a program that the service starts as a process of its own; a module of the build each. */
public final class ProgramDirectory {
    private ProgramDirectory() {}

    /**
     * Finds {@code NAME/target/program} of a build, or {@code NAME} of an installation, in a directory above the
     * service's own classes.
     */
    public static Path of(String name) throws IOException {
        try {
            Path classes = Path.of(ProgramDirectory.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            for (Path above = classes.getParent(); above != null; above = above.getParent()) {
                Path module = above.resolve(name);
                for (Path home : List.of(module.resolve("target/program"), module)) {
                    if (Files.isRegularFile(jar(home, name))) {
                        return home.toRealPath();
                    }
                }
            }
        } catch (URISyntaxException | RuntimeException e) {
            throw new IOException(e);
        }
        throw new IOException("the directory '" + name + "' with the program's jars is missing from the installation");
    }

    /** The jar with the classes of the program itself. */
    public static Path jar(Path home, String name) {
        return home.resolve("parley-" + name + ".jar");
    }
}
