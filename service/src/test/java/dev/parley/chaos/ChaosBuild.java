package dev.parley.chaos;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A build of the service.
 *
 * @param further directories of the class path besides the jar, as of a build that has more migrations
 */
record ChaosBuild(Path jar, List<Path> further) {
    /** Migrations of a release that does not exist: it expands the schema of this one. */
    private static final Path NEXT = Path.of("src/test/resources/releases/next").toAbsolutePath();

    /** The build under test. */
    static ChaosBuild current() {
        return in(Path.of(""));
    }

    /** The same, with the migrations of a next release. */
    static ChaosBuild next() {
        return new ChaosBuild(current().jar, List.of(NEXT));
    }

    /** A build in an unpacked release, in a clone, or in a directory of jars. */
    static ChaosBuild in(Path directory) {
        return Stream.of("service/", "service/target/", "target/", "")
                .map(place -> directory.toAbsolutePath().resolve(place + "quarkus-app/quarkus-run.jar"))
                .filter(Files::exists)
                .findFirst()
                .map(jar -> new ChaosBuild(jar, List.of()))
                .orElseThrow(() -> new IllegalStateException(
                        "There is no build of the service in '" + directory + "': ./parley chaos builds this one's."));
    }

    /** The arguments of Java. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        further.forEach(directory -> arguments.add("-Xbootclasspath/a:" + directory)); // Also with -jar.
        arguments.addAll(List.of("-jar", jar.toString()));
        return arguments;
    }
}
