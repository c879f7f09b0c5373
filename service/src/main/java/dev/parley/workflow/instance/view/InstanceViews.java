package dev.parley.workflow.instance.view;

import dev.parley.db.Database;
import dev.parley.http.IdempotencyKeys.StoredResponse;
import dev.parley.http.Page;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceReader;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.instance.store.SubWorkflowStore;
import dev.parley.workflow.instance.view.InstanceView.InstanceDetails;
import dev.parley.workflow.task.coder.ConsoleStore;
import dev.parley.workflow.ticket.TicketService;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;

/** Renders instances and their history for the API. */
@Singleton
public final class InstanceViews {
    private static final int LOG_PAGE = 1_000;

    private final InstanceReader reader;
    private final TicketService tickets;
    private final ConsoleStore consoles;
    private final ResumeUrls resumeUrls;
    private final SubWorkflowStore subWorkflows;

    public InstanceViews(
            InstanceReader reader,
            TicketService tickets,
            Database database,
            ResumeUrls resumeUrls,
            SubWorkflowStore subWorkflows) {
        this.reader = reader;
        this.tickets = tickets;
        this.consoles = database.statements(ConsoleStore.class);
        this.resumeUrls = resumeUrls;
        this.subWorkflows = subWorkflows;
    }

    public InstanceView of(StoredInstance instance) {
        return InstanceView.of(instance, details(instance).withSubWorkflows(subWorkflows.newest(instance)));
    }

    public InstanceView withLogs(StoredInstance instance) {
        InstanceHeader header = instance.header();
        List<LogView> logs =
                logs(header.organization(), header.id(), 0, LOG_PAGE).items();
        boolean hasConsole = instance.state().plan().tasks().stream()
                .anyMatch(task -> task.kind().hasConsole());
        Map<String, String> written = hasConsole ? consoles.of(header.organization(), header.id()) : Map.of();
        return InstanceView.of(
                instance,
                details(instance)
                        .withSubWorkflows(subWorkflows.newest(instance))
                        .withLogs(logs, written));
    }

    private InstanceDetails details(StoredInstance instance) {
        InstanceHeader header = instance.header();
        InstanceState state = instance.state();
        return InstanceDetails.ofTickets(
                        mayHaveTickets(state) ? tickets.ofInstance(header.organization(), header.id()) : Map.of())
                .withEventWaits(resumeUrls.of(header, state));
    }

    /** The address at which an API key reads the instance. */
    public static String address(StoredInstance instance) {
        return "/developer/api/workflow_instances/" + instance.header().id() + "/status";
    }

    /** The address at which a dashboard user reads the instance. */
    public static String dashboardAddress(StoredInstance instance) {
        return "/dashboard/api/organizations/"
                + instance.header().organization().text() + "/instances/"
                + instance.header().id().text();
    }

    /** A response with the instance; 202 carries the address to read it at later. */
    public StoredResponse response(StoredInstance instance, int status, String address) {
        return new StoredResponse(status, status == 202 ? address : null, StrictJson.write(of(instance)));
    }

    /** Same, for an instance that has just started or changed in the transaction, without its sub-workflows. */
    public StoredResponse response(StoredInstance instance, int status) {
        InstanceView view = InstanceView.of(instance, details(instance));
        return new StoredResponse(status, status == 202 ? address(instance) : null, StrictJson.write(view));
    }

    /** The history, oldest first, after a version. */
    public Page<LogView> logs(OrganizationId organization, WorkflowInstanceId id, int afterVersion, int limit) {
        Page<InstanceReader.LogRow> rows = reader.log(organization, id, afterVersion, limit);
        return new Page<>(rows.items().stream().map(LogView::of).toList(), rows.next());
    }

    /** Whether the instance may have tickets: a run of only AI tasks needs no query for them. */
    public static boolean mayHaveTickets(InstanceState state) {
        return state.plan().tasks().stream()
                .anyMatch(task -> task.kind().opensTicket()
                        || state.task(task.id()).waitingFor() != null
                        || state.task(task.id()).error() != null
                        || state.task(task.id()).run() > 1
                        || !state.answers().isEmpty());
    }
}
