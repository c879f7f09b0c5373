package dev.parley;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callCodeUnitWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import dev.parley.http.access.Routes;
import dev.parley.settings.Settings;
import jakarta.ws.rs.HttpMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * Enforces the package layout of docs/decisions/0030-enforce-package-layout-with-a-test.md: imports go in one
 * direction.
 */
class ArchitectureTest {
    private static final String ROOT = "dev.parley";

    /** The top-level packages from bottom to top: each imports only earlier ones. */
    private static final List<String> ORDER = List.of(
            "sandbox",
            "reader",
            "id",
            "problem",
            "settings",
            "metrics",
            "trace",
            "disk",
            "egress",
            "forwarded",
            "db",
            "llm",
            "node",
            "work",
            "document",
            "usage",
            "http",
            "blob",
            "backup",
            "support",
            "mail",
            "event",
            "ratelimit",
            "organization",
            "apikey",
            "audit",
            "webhook",
            "media",
            "attachment",
            "budget",
            "model",
            "tool",
            "conversation",
            "message",
            "datalake",
            "workflow",
            "openai",
            "engine",
            "monitoring",
            "console");

    /** The order of the packages within {@code workflow}. */
    private static final List<String> WORKFLOW_ORDER = List.of(
            "expression",
            "definition",
            "ticket",
            "attempt",
            "journal",
            "task",
            "instance.core",
            "instance.store",
            "instance.view",
            "instance.run",
            "instance.budget",
            "instance.api");

    private static final String EXPRESSIONS = ROOT + ".workflow.expression.core";
    private static final String CEL = "dev\\.cel(\\..*)?|com\\.google\\.(protobuf|common\\.collect)";
    private static final int RANKS_PER_FOLDER = 100;
    private static final int LONGEST_FILE = 500;
    private static final int MOST_FILES = 15;

    /** The ids are one short record each, and whoever adds one looks at the others. */
    private static final Set<String> LARGER_PACKAGES = Set.of("id");

    private static final Set<String> CONSTRAINTS = Set.of("NotNull", "Size", "Min", "Max");

    /** The modules, each of whose build needs none of the others. */
    private static final List<Path> MODULES = List.of(Path.of("../sandbox"), Path.of("../reader"), Path.of(""));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importPaths(MODULES.stream()
                    .map(module -> module.resolve("target/classes"))
                    .toList());

    @Test
    void aPackageImportsOnlyEarlierOnes() {
        classes().should(importOnlyEarlierPackages()).check(CLASSES);
    }

    @Test
    void everyPackageIsInTheOrder() {
        assertThat(packages()).allMatch(name -> name.equals(ROOT) || rank(name) >= 0);
    }

    @Test
    void packagesHaveNoCycles() {
        SlicesRuleDefinition.slices()
                .assignedFrom(new ByPackage())
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void coresArePure() {
        classes()
                .that(areInACore())
                .and()
                .resideOutsideOfPackage(EXPRESSIONS)
                .should()
                .onlyDependOnClassesThat(describe(
                        "belong to the JDK, JSpecify, the ids, the problems or another core", ArchitectureTest::isPure))
                .check(CLASSES);
    }

    /** CEL has no side effects either, but only one package depends on the library. */
    @Test
    void theCoreOfExpressionsIsPureExceptForCel() {
        classes()
                .that()
                .resideInAPackage(EXPRESSIONS)
                .should()
                .onlyDependOnClassesThat(describe(
                        "belong to the JDK, JSpecify, CEL or its value types",
                        type -> isPure(type) || type.getPackageName().matches(CEL)))
                .check(CLASSES);
    }

    /** {@code RequestConstraints} gives each of these a code. */
    @Test
    void constraintsOfRequestsHaveACode() {
        noClasses()
                .should()
                .dependOnClassesThat(describe(
                        "are other constraints",
                        type -> type.getPackageName().equals("jakarta.validation.constraints")
                                && !CONSTRAINTS.contains(type.getSimpleName())))
                .check(CLASSES);
    }

    @Test
    void onlyTheEgressPackageOpensConnections() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".egress..")
                .should()
                .dependOnClassesThat(describe("open connections", ArchitectureTest::opensConnections))
                .orShould(callCodeUnitWhere(target(owner(nameMatching("java\\.net\\.(URL|URLConnection)")))
                        .and(target(nameMatching("openConnection|openStream|connect|getContent")))))
                .orShould(callCodeUnitWhere(target(owner(nameMatching("java\\.net\\.InetAddress")))
                        .and(target(nameMatching("getByName|getAllByName")))))
                .because("outgoing connections keep the egress rules; PostgreSQL's driver is the database's")
                .check(CLASSES);
    }

    @Test
    void featuresSeeOnlyTheirOwnSettings() {
        noClasses()
                .that(describe(
                        "are neither the entry point nor the settings",
                        c -> !isEntryPoint(c) && !c.getPackageName().equals(ROOT + ".settings")))
                .should()
                .dependOnClassesThat(describe("are the settings as a whole", c -> c.isEquivalentTo(Settings.class)))
                .check(CLASSES);
    }

    @Test
    void everyRouteSaysWhoMayCallIt() {
        List<String> silent = CLASSES.stream()
                .filter(type -> type.isAnnotatedWith(jakarta.ws.rs.Path.class))
                .map(JavaClass::reflect)
                .flatMap(type -> Stream.of(type.getMethods())
                        .filter(method -> Stream.of(method.getAnnotations())
                                .anyMatch(one -> one.annotationType().isAnnotationPresent(HttpMethod.class)))
                        .filter(method -> Routes.caller(type, method) == null)
                        .map(method -> type.getSimpleName() + "." + method.getName()))
                .toList();
        assertThat(silent).isEmpty();
    }

    @Test
    void onlyTheEntryPointWritesToTheConsole() {
        noClasses()
                .that(describe("are not the entry point or its banner", c -> !isEntryPoint(c)))
                .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS)
                .check(CLASSES);
    }

    @Test
    void timesAreInstants() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.(Date|Calendar|GregorianCalendar)|java\\.text\\.SimpleDateFormat"
                        + "|java\\.sql\\.(Timestamp|Date|Time)")
                .check(CLASSES);
    }

    @Test
    void noPackageIsNamedForNothing() {
        assertThat(packages())
                .noneMatch(name -> name.matches(".*\\.(utils?|commons?|helpers?|managers?|impl|misc|shared)(\\..*)?"));
    }

    @Test
    void noFileIsLongerThan500Lines() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path module : MODULES) {
            try (Stream<Path> files = Files.walk(module.resolve("src"))) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    int lines = Files.readAllLines(file).size();
                    if (lines > LONGEST_FILE) {
                        tooLong.add(file + ": " + lines);
                    }
                }
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void packagesHaveAtMost15Files() throws IOException {
        Map<String, Integer> tooLarge = new TreeMap<>();
        for (Path module : MODULES) {
            Path sources = module.resolve("src/main/java/dev/parley");
            try (Stream<Path> files = Files.walk(sources)) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> !file.endsWith("package-info.java"))
                        .forEach(file -> tooLarge.merge(
                                sources.relativize(file.getParent()).toString(), 1, Integer::sum));
            }
        }
        tooLarge.values().removeIf(files -> files <= MOST_FILES);
        assertThat(tooLarge).containsOnlyKeys(LARGER_PACKAGES);
    }

    @Test
    void serviceAndSandboxHaveTheSameProtocol() throws IOException {
        assertThat(withoutPackage("src/main/java/dev/parley/workflow/task/coder/sandbox/FrameCodec.java"))
                .isEqualTo(withoutPackage("../sandbox/src/main/java/dev/parley/sandbox/FrameCodec.java"));
    }

    private static String withoutPackage(String file) throws IOException {
        return Files.readString(Path.of(file)).replaceFirst("^package .*\n", "");
    }

    /** Words of the field, not those that a type had before it was renamed. */
    @Test
    void variablesAreNamedLikeTheirTypes() throws IOException {
        var old = Pattern.compile(
                "\\b(DashboardUser person|FileScope view|MasterKey secret|TempFiles scratch|SandboxIsolation layers"
                        + "|HostTools programs|SandboxInstallation home|LanguageRuntime guest)\\b");
        List<String> found = new ArrayList<>();
        for (String root : List.of("src", "../sandbox/src", "../reader/src")) {
            try (Stream<Path> files = Files.walk(Path.of(root))) {
                for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                        .filter(each -> !each.endsWith("ArchitectureTest.java"))
                        .toList()) {
                    old.matcher(Files.readString(file))
                            .results()
                            .forEach(match -> found.add(file + ": " + match.group()));
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(packages())
                .allMatch(name -> CLASSES.getPackage(name).isAnnotatedWith(NullMarked.class)
                        && !CLASSES.getPackage(name).getClasses().isEmpty());
    }

    private static Set<String> packages() {
        Set<String> names = new TreeSet<>();
        CLASSES.forEach(c -> names.add(c.getPackageName()));
        return names;
    }

    /** The rank of a package: its top-level folder first, then its part of {@code workflow}; -1 for an unknown one. */
    private static int rank(String packageName) {
        String name = packageName.substring(ROOT.length() + 1);
        int folder = ORDER.indexOf(name.replaceFirst("[.].*", ""));
        if (folder < 0 || !name.startsWith("workflow.")) {
            return folder * RANKS_PER_FOLDER;
        }
        String part = name.substring("workflow.".length());
        int index = IntStream.range(0, WORKFLOW_ORDER.size())
                .filter(i -> (part + ".").startsWith(WORKFLOW_ORDER.get(i) + "."))
                .findFirst()
                .orElse(-1);
        return index < 0 ? -1 : folder * RANKS_PER_FOLDER + index;
    }

    private static int rank(JavaClass type) {
        return isEntryPoint(type) ? Integer.MAX_VALUE : rank(type.getPackageName());
    }

    private static ArchCondition<JavaClass> importOnlyEarlierPackages() {
        return new ArchCondition<>("import only packages before their own") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    if (target.getPackageName().startsWith(ROOT) && rank(target) > rank(type)) {
                        events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
                    }
                }
            }
        };
    }

    private static DescribedPredicate<JavaClass> areInACore() {
        return describe("are in a core", type -> isCore(type.getPackageName()));
    }

    private static boolean isCore(String packageName) {
        return packageName.startsWith(ROOT + ".") && (packageName + ".").contains(".core.");
    }

    private static boolean isPure(JavaClass type) {
        String name = type.getBaseComponentType().getPackageName();
        return name.isEmpty() // primitive types
                || name.equals("java.lang")
                || name.startsWith("java.lang.annotation")
                || name.startsWith("java.lang.invoke")
                || name.startsWith("java.lang.runtime")
                || name.startsWith("java.util")
                || name.startsWith("java.time")
                || name.startsWith("java.math")
                || name.startsWith("java.nio.charset")
                || name.startsWith("java.text")
                || name.equals("java.net") // URI, addresses; connections have their own rule
                || name.startsWith("org.jspecify")
                || name.equals(ROOT + ".id")
                || name.equals(ROOT + ".problem")
                || isCore(name);
    }

    private static boolean opensConnections(JavaClass type) {
        String name = type.getFullName();
        return name.matches("java\\.net\\.(Socket|DatagramSocket|HttpURLConnection)")
                || name.startsWith("java.net.http.")
                || name.startsWith("javax.net.")
                || name.matches("java\\.nio\\.channels\\.(SocketChannel|AsynchronousSocketChannel|DatagramChannel)")
                || name.startsWith("org.apache.hc.")
                || name.startsWith("okhttp3.")
                || name.startsWith("jakarta.ws.rs.client.")
                || name.startsWith("io.vertx.ext.web.client.")
                || name.matches("io\\.vertx\\.core\\.(http\\.HttpClient|net\\.NetClient).*");
    }

    private static boolean isEntryPoint(JavaClass type) {
        return type.getPackageName().equals(ROOT);
    }

    /** One slice per package. */
    private static final class ByPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            if (!type.getPackageName().startsWith(ROOT)) {
                return SliceIdentifier.ignore();
            }
            return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }
}
