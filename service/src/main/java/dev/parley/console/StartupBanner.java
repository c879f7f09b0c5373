package dev.parley.console;

import dev.parley.console.demo.DemoEnvFile;
import dev.parley.console.demo.DemoOrganization;
import dev.parley.node.NodeLease;
import dev.parley.node.NodeVersion;
import dev.parley.organization.signin.FirstUserSetup;
import dev.parley.settings.ServiceSize;
import dev.parley.settings.Settings;
import dev.parley.workflow.task.coder.sandbox.Sandbox;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * The terminal output when the service is ready: its address and how to sign in. The demo's password and key are shown
 * only by the start that created them; later starts name the file. With JSON logs it is a single log line without
 * secrets.
 */
@Singleton
public final class StartupBanner {
    private static final Logger LOG = Logger.getLogger(StartupBanner.class);
    private static final String CONVERSATION =
            " -H 'Content-Type: application/json' " + "-d '{\"channel\": \"API\", \"usecase\": \"DEFAULT\"}'";

    private final Settings.Logging logging;
    private final String publicUrl;
    private final Settings.Models models;
    private final Settings.Egress egress;
    private final Settings.Storage storage;
    private final ServiceSize size;
    private final DemoOrganization demo;
    private final Sandbox sandbox;
    private final FirstUserSetup firstRun;
    private final String version;

    public StartupBanner(
            Settings.Logging logging,
            Settings.PublicUrl publicUrl,
            Settings.Models models,
            Settings.Egress egress,
            Settings.Storage storage,
            ServiceSize size,
            DemoOrganization demo,
            Sandbox sandbox,
            FirstUserSetup firstRun,
            NodeVersion version) {
        this.logging = logging;
        this.publicUrl = publicUrl.url();
        this.models = models;
        this.egress = egress;
        this.storage = storage;
        this.size = size;
        this.demo = demo;
        this.sandbox = sandbox;
        this.firstRun = firstRun;
        this.version = version.version();
    }

    /** The terminal output when the service accepts requests; empty for JSON logs. */
    public Optional<String> text() {
        if (logging.json()) {
            LOG.infof("Parley %s is ready at %s", version, publicUrl);
            LOG.infof("Sized for %s", String.join("; ", size.text()));
            sandbox.whenDetected(() -> LOG.info(code()));
            return Optional.empty();
        }
        if (sandbox.layers().isEmpty()) {
            sandbox.whenDetected(() -> LOG.info(code()));
        }
        return Optional.of(String.join("\n", lines()));
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("Parley " + version + " is ready.");
        lines.add("");
        lines.add(row("Dashboard", publicUrl));
        lines.addAll(signInLines());
        lines.add(row("API", publicUrl + "/docs"));
        lines.add(row("Model", model()));
        lines.add(row("Code", code()));
        sandbox.bubblewrapAdds().ifPresent(more -> lines.add(row("", "bubblewrap (bwrap) would add: " + more)));
        lines.add(row("Data", data()));
        lines.add(row("Size", size.text().getFirst()));
        size.text().stream().skip(1).forEach(more -> lines.add(row("", more)));
        if (!egress.allow().isBlank()) {
            lines.add(
                    row("Egress", "outgoing connections may also reach " + egress.allow() + " (PARLEY_EGRESS_ALLOW)"));
        }
        lines.addAll(curl());
        lines.add("");
        return lines;
    }

    private List<String> signInLines() {
        DemoEnvFile file = demo.file();
        return switch (demo.outcome()) {
            case NONE ->
                firstRun.token()
                        .map(token -> List.of(
                                row("Set up", publicUrl + "/setup?token=" + token),
                                row("", "There is no user yet: the first person to open this becomes the first user.")))
                        .orElse(List.of());
            case CREATED, RENEWED ->
                List.of(
                        row("Sign in", value(DemoEnvFile.EMAIL) + "  " + value(DemoEnvFile.PASSWORD)),
                        row("API key", value(DemoEnvFile.API_KEY)),
                        row(
                                "",
                                demo.outcome() == DemoOrganization.DemoOutcome.CREATED
                                        ? "Shown this once; also in " + file.path() + "."
                                        : file.path()
                                                + " was missing: this is a new password and a new key, also stored there."));
            case FOUND -> List.of(row("Sign in", "email, password and API key are in " + file.path()));
            case FILE_LOST ->
                List.of(
                        row(
                                "Sign in",
                                DemoOrganization.EMAIL
                                        + "; password and API key are in the demo.env of the start that created them."),
                        row("", "Lost? An owner or admin can create a new key in the dashboard, under API Keys."));
        };
    }

    private List<String> curl() {
        String request = "/developer/api/conversations";
        return switch (demo.outcome()) {
            case NONE, FILE_LOST -> List.of();
            case CREATED, RENEWED ->
                List.of(
                        "",
                        "Try it:",
                        "  curl -s " + publicUrl + request + " -H 'Authorization: Bearer " + value(DemoEnvFile.API_KEY)
                                + "'" + CONVERSATION);
            case FOUND ->
                List.of(
                        "",
                        "Try it:",
                        "  . '" + demo.file().path() + "'; curl -s $PARLEY_URL" + request
                                + " -H \"Authorization: Bearer $PARLEY_API_KEY\"" + CONVERSATION);
        };
    }

    private String model() {
        return models.external()
                .map(model -> model.name() + " at " + model.baseUrl())
                .orElse("the offline model replies by a fixed rule; PARLEY_LLM_BASE_URL sets a real one");
    }

    private String code() {
        return sandbox.layers()
                .map(layers -> layers.isEmpty()
                        ? "Coder tasks cannot run: the sandbox is not installed"
                        : "Isolation of Coder tasks: " + String.join(", ", layers))
                .orElse("the isolation of Coder tasks is being probed; the log and /health report the result");
    }

    private String data() {
        return storage.directory()
                + (Boolean.getBoolean(NodeLease.ONLY_NODE)
                        ? ", with its own PostgreSQL"
                        : ", with an external PostgreSQL");
    }

    private String value(String name) {
        return demo.file().read(name).orElse("");
    }

    private static String row(String name, String text) {
        return "  %-10s %s".formatted(name, text);
    }
}
