package dev.parley.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The dashboard's lists as its pages request them, by name. */
final class DashboardLists {
    /** Lists that read the newest rows up to a limit. A small database has fewer, so they cannot be compared by a factor. */
    private static final Set<String> OF_WINDOW = Set.of(
            "conversations, search",
            "runs, count",
            "runs, search",
            "tickets, by priority",
            "tickets, count",
            "tickets, search");

    private static final int READERS = 4;

    private DashboardLists() {}

    /** Paths below the organization, except for the one that begins with a slash. */
    static Map<String, String> paths(String workflow) {
        Map<String, String> paths = new LinkedHashMap<>();
        paths.put("overview, 24 hours", "overview?hours=24");
        paths.put("overview, 30 days", "overview?hours=720");
        paths.put("conversations", "conversation-summaries?limit=50");
        paths.put("conversations, search", "conversation-summaries?limit=50&q=nothing+like+it");
        paths.put("runs", "instances?limit=100");
        paths.put("runs, failed", "instances?limit=100&status=FAILED");
        paths.put("runs of an agent", "instances?limit=100&workflow_id=" + workflow);
        paths.put("runs, count", "instances/count");
        paths.put("runs, search", "instances?limit=100&search=nothing+like+it");
        paths.put("tickets", "tickets?assignee=mine&sort=created&limit=20");
        paths.put("tickets, by priority", "tickets?assignee=all&sort=priority&limit=100");
        paths.put("tickets, count", "tickets/count");
        paths.put("tickets, search", "tickets?assignee=all&status=RESOLVED&sort=created&limit=100&search=nothing");
        paths.put("agents", "workflows?limit=50&include=latest_runs");
        paths.put("organizations", "/dashboard/api/organizations?limit=10");
        return paths;
    }

    static boolean readsWindow(String name) {
        return OF_WINDOW.contains(name);
    }

    static Load load(String url, String cookie, String organization, String path) {
        String absolute = path.startsWith("/") ? path : "/dashboard/api/organizations/" + organization + "/" + path;
        Map<String, String> headers = Map.of("Cookie", cookie, "X-Requested-With", "parley");
        return new Load(List.of(url), "GET", absolute, "", headers, List.of(), READERS);
    }
}
