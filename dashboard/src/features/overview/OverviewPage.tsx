import {
  Alert,
  Anchor,
  Card,
  Group,
  Progress,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { ABOUT_PARLEY } from "../../components/aboutParley";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { formatDuration } from "../../components/Time";
import { useFilters } from "../../components/useFilters";
import { UsageCharts } from "./UsageCharts";
import { FirstSteps } from "./FirstSteps";
import { formatCount, formatCost } from "../../components/formatNumbers";

const SPANS = [
  { value: "24", label: "24 hours" },
  { value: "168", label: "7 days" },
  { value: "720", label: "30 days" },
];

/** An organization's start page: recent activity and usage of its limits. */
export default function OverviewPage() {
  const orgId = useOrganizationId();
  const filters = useFilters();
  const span = SPANS.find((each) => each.value === filters.get("hours")) ?? SPANS[0]!;
  const overview = useQuery({
    queryKey: ["organization", orgId, "overview", span.value],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/overview", {
          params: { path: { orgId }, query: { hours: Number(span.value) } },
        }),
      ),
    refetchInterval: 15_000,
    placeholderData: (before) => before,
  });
  return (
    <Page
      title="Overview"
      about={
        <>
          {ABOUT_PARLEY}
          <br />
          Activity in the last {span.label}. Updates every few seconds.
        </>
      }
      actions={
        <SegmentedControl
          aria-label="Period"
          data={SPANS}
          value={span.value}
          onChange={(value) => filters.set("hours", value === "24" ? null : value)}
        />
      }
    >
      <QueryBoundary query={overview}>
        {({ usage, limits, first_steps, model_connected }) => (
          <Stack gap="lg">
            {!model_connected && <NoModel />}
            <FirstSteps orgId={orgId} steps={first_steps} />
            <TotalCards orgId={orgId} hours={span.value} total={usage.total} />
            {isQuiet(usage.total) ? (
              <Quiet orgId={orgId} span={span.label} canWiden={span !== SPANS.at(-1)} />
            ) : (
              <UsageCharts usage={usage} />
            )}
            <LimitsCard limits={limits} />
          </Stack>
        )}
      </QueryBoundary>
    </Page>
  );
}

/** Without a model the answers follow a fixed rule, which would look broken. */
function NoModel() {
  return (
    <Alert color="yellow" title="No AI model is connected">
      AI tasks and chats get placeholder answers from the offline model until an operator connects a model:
      set <code>PARLEY_LLM_BASE_URL</code>, <code>PARLEY_LLM_API_KEY</code> and <code>PARLEY_LLM_MODEL</code>,
      and restart Parley. <code>docs/offline-model.md</code> describes what the offline model answers.
    </Alert>
  );
}

function Quiet({ orgId, span, canWiden }: { orgId: string; span: string; canWiden: boolean }) {
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4">
        No activity in the last {span}
      </Title>
      <Text c="dimmed" size="sm" mt={4} component="div">
        Charts appear here once there is activity.
        {canWiden && (
          <>
            {" "}
            Looking for something older? View{" "}
            <Anchor component={Link} inherit to={`/organizations/${orgId}/overview?hours=720`}>
              the last 30 days
            </Anchor>
            .
          </>
        )}
      </Text>
    </Card>
  );
}

function finishedRuns(total: Schemas["UsageNumbers"]): number {
  return total.runs_completed + total.runs_failed + total.runs_cancelled + total.runs_terminated;
}

function isQuiet(total: Schemas["UsageNumbers"]): boolean {
  return total.messages_received + total.messages_sent + finishedRuns(total) + total.input_tokens === 0;
}

function TotalCards({
  orgId,
  hours,
  total,
}: {
  orgId: string;
  hours: string;
  total: Schemas["UsageNumbers"];
}) {
  const runs = `/organizations/${orgId}/runs?hours=${hours}`;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="md">
      <TotalCard label="Messages" value={formatCount(total.messages_received + total.messages_sent)}>
        {formatCount(total.messages_received)} received, {formatCount(total.messages_sent)} sent
      </TotalCard>
      <TotalCard label="Runs finished" value={formatCount(finishedRuns(total))}>
        <Anchor component={Link} inherit to={`${runs}&status=COMPLETED`}>
          {formatCount(total.runs_completed)} completed
        </Anchor>
      </TotalCard>
      <TotalCard label="Runs failed" value={formatCount(total.runs_failed)} bad={total.runs_failed > 0}>
        {total.runs_failed > 0 ? (
          <Anchor component={Link} inherit to={`${runs}&status=FAILED`}>
            View failed runs
          </Anchor>
        ) : (
          "No failures"
        )}
      </TotalCard>
      <TotalCard
        label="Median run time"
        value={total.median_run_millis === null ? "–" : formatDuration(total.median_run_millis)}
      >
        {total.p95_run_millis === null
          ? "No finished runs yet"
          : `95th percentile: ${formatDuration(total.p95_run_millis)}`}
      </TotalCard>
      <TotalCard label="Tokens" value={formatCount(total.input_tokens + total.output_tokens)}>
        {total.cost_micros > 0
          ? `Cost ${formatCost(total.cost_micros)}`
          : `${formatCount(total.input_tokens)} in, ${formatCount(total.output_tokens)} out`}
      </TotalCard>
    </SimpleGrid>
  );
}

function TotalCard({
  label,
  value,
  bad = false,
  children,
}: {
  label: string;
  value: string;
  bad?: boolean;
  children: ReactNode;
}) {
  return (
    <Card withBorder padding="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={26} fw={650} lh={1.3} c={bad ? "var(--mantine-color-error)" : undefined}>
        {value}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {children}
      </Text>
    </Card>
  );
}

function LimitsCard({ limits }: { limits: Schemas["OrganizationLimits"] }) {
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h5" mb="md">
        Limits
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        <Limit
          label="Messages in the last minute"
          used={limits.messages_in_last_minute}
          most={limits.messages_per_minute}
        />
        <Limit label="Concurrent runs" used={limits.running_now} most={limits.running_instances} />
      </SimpleGrid>
    </Card>
  );
}

const WARNING_PERCENT = 80;

function Limit({ label, used, most }: { label: string; used: number; most: number }) {
  const percent = most > 0 ? Math.min(100, (used / most) * 100) : 0;
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <Text size="sm">{label}</Text>
        <Text size="sm" fw={600}>
          {formatCount(used)} of {formatCount(most)}
        </Text>
      </Group>
      <Progress value={percent} color={percent >= WARNING_PERCENT ? "red.8" : undefined} aria-label={label} />
      {percent >= WARNING_PERCENT && (
        <Text size="xs" mt={4} c="var(--mantine-color-error)">
          {percent >= 100 ? "Limit reached: new requests are rejected or queued." : "Close to the limit."}
        </Text>
      )}
    </div>
  );
}
