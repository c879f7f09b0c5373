package dev.parley.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.http.json.StrictJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Keeps alerts and the dashboard to metrics that exist, and the runbook to the alerts. */
class AlertsTest {
    private static final Path ALERTS = Path.of("../deploy/prometheus/alerts.yaml");
    private static final Path DASHBOARD = Path.of("../deploy/grafana/parley.json");
    private static final Path RUNBOOK = Path.of("../docs/runbook.md");
    private static final Pattern SELECTOR =
            Pattern.compile("\\b((?:parley|http|jvm|netty|process|system|worker)_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)");
    private static final Pattern GROUPING = Pattern.compile("\\bby \\(([^)]*)\\)");

    /** Labels that Prometheus adds. */
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

    @Test
    void everyAlertUsesMetricsThatExistAndHasItsEntryInTheRunbook() throws Exception {
        List<Map<String, Object>> rules = rules();
        List<String> names =
                rules.stream().map(rule -> (String) rule.get("alert")).toList();
        List<String> headings = Files.readString(RUNBOOK)
                .lines()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3))
                .toList();

        assertThat(names).doesNotHaveDuplicates().containsExactlyElementsOf(headings);
        for (Map<String, Object> rule : rules) {
            String name = (String) rule.get("alert");
            assertThat(problems((String) rule.get("expr"))).as(name).isEmpty();
            assertThat(rule.get("labels")).as(name).isIn(Map.of("severity", "page"), Map.of("severity", "ticket"));
            assertThat(rule.get("annotations"))
                    .as(name)
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsKey("summary")
                    .containsEntry("runbook_url", "docs/runbook.md#" + name.toLowerCase(Locale.ROOT));
        }
    }

    @Test
    void theDashboardShowsMetricsThatExist() throws Exception {
        List<String> expressions =
                StrictJson.mapper().readTree(Files.readString(DASHBOARD)).findValuesAsText("expr");

        assertThat(expressions).hasSizeGreaterThan(15).allSatisfy(expression -> assertThat(problems(expression))
                .isEmpty());
    }

    @Test
    void aMisspeltMetricOrLabelIsFound() {
        assertThat(problems("sum by (kind) (rate(parley_task_runs_seconds_count{outcome=\"failed\"}[5m]))"))
                .isEmpty();
        assertThat(problems("parley_task_run_seconds_count")).containsExactly("parley_task_run_seconds_count");
        assertThat(problems("parley_tickets_open{status=\"x\"}")).containsExactly("parley_tickets_open status");
        assertThat(problems("sum by (workflow) (parley_tickets_open)")).containsExactly("by workflow");
    }

    /** The metrics that no page lists, and the labels that they do not have. */
    private static List<String> problems(String expression) {
        Map<String, Set<String>> listed = MetricReferenceTest.rows();
        List<String> problems = new ArrayList<>();
        Set<String> known = new TreeSet<>(OF_PROMETHEUS);
        SELECTOR.matcher(expression).results().forEach(found -> {
            String family = listed.containsKey(found.group(1))
                    ? found.group(1)
                    : found.group(1).replaceFirst("_(count|sum|max)$", "");
            Set<String> labels = listed.get(family);
            if (labels == null) {
                problems.add(found.group(1));
                return;
            }
            known.addAll(labels);
            if (found.group(2) != null) {
                LABEL.matcher(found.group(2))
                        .results()
                        .map(label -> label.group(1))
                        .filter(label -> !labels.contains(label) && !OF_PROMETHEUS.contains(label))
                        .forEach(label -> problems.add(found.group(1) + " " + label));
            }
        });
        GROUPING.matcher(expression)
                .results()
                .flatMap(found -> Arrays.stream(found.group(1).split(", *", -1)))
                .filter(label -> !known.contains(label))
                .forEach(label -> problems.add("by " + label));
        return problems;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> rules() throws Exception {
        var groups = (Map<String, List<Map<String, Object>>>)
                new Load(LoadSettings.builder().build()).loadFromString(Files.readString(ALERTS));
        return groups.get("groups").stream()
                .flatMap(group -> ((List<Map<String, Object>>) group.get("rules")).stream())
                .toList();
    }
}
