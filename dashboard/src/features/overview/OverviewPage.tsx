import {
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
import { api, ask, type Schemas } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { Loaded } from "../../parts/Loaded";
import { Page } from "../../parts/Page";
import { duration } from "../../parts/Time";
import { useFilters } from "../../parts/useFilters";
import { Charts } from "./Charts";
import { FirstSteps } from "./FirstSteps";
import { amount, cost } from "./numbers";

const SPANS = [
  { value: "24", label: "24 hours" },
  { value: "168", label: "7 days" },
  { value: "720", label: "30 days" },
];

/** The start page of an organization: what it did lately, and how near its limits it is. */
export default function OverviewPage() {
  const orgId = useOrganizationId();
  const filters = useFilters();
  const span = SPANS.find((each) => each.value === filters.get("hours")) ?? SPANS[0]!;
  const overview = useQuery({
    queryKey: ["organization", orgId, "overview", span.value],
    queryFn: () =>
      ask(
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
      about={`What happened in the last ${span.label}, counted some seconds late.`}
      actions={
        <SegmentedControl
          aria-label="Time"
          data={SPANS}
          value={span.value}
          onChange={(value) => filters.set("hours", value === "24" ? null : value)}
        />
      }
    >
      <Loaded query={overview}>
        {({ usage, limits }) => (
          <Stack gap="lg">
            <Totals orgId={orgId} hours={span.value} total={usage.total} />
            {isQuiet(usage.total) ? (
              <FirstSteps orgId={orgId} span={span.label} wider={span !== SPANS.at(-1)} />
            ) : (
              <Charts usage={usage} />
            )}
            <Limits limits={limits} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function ended(total: Schemas["UsageNumbers"]): number {
  return total.runs_completed + total.runs_failed + total.runs_cancelled + total.runs_terminated;
}

function isQuiet(total: Schemas["UsageNumbers"]): boolean {
  return total.messages_received + total.messages_sent + ended(total) + total.input_tokens === 0;
}

function Totals({ orgId, hours, total }: { orgId: string; hours: string; total: Schemas["UsageNumbers"] }) {
  const runs = `/organizations/${orgId}/runs?hours=${hours}`;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="md">
      <Total label="Messages" value={amount(total.messages_received + total.messages_sent)}>
        {amount(total.messages_received)} received, {amount(total.messages_sent)} sent
      </Total>
      <Total label="Runs ended" value={amount(ended(total))}>
        <Anchor component={Link} inherit to={`${runs}&status=COMPLETED`}>
          {amount(total.runs_completed)} completed
        </Anchor>
      </Total>
      <Total label="Runs failed" value={amount(total.runs_failed)} bad={total.runs_failed > 0}>
        {total.runs_failed > 0 ? (
          <Anchor component={Link} inherit to={`${runs}&status=FAILED`}>
            See what went wrong
          </Anchor>
        ) : (
          "None went wrong"
        )}
      </Total>
      <Total
        label="Median run"
        value={total.median_run_millis === null ? "–" : duration(total.median_run_millis)}
      >
        {total.p95_run_millis === null
          ? "No run has ended"
          : `95 of 100 took up to ${duration(total.p95_run_millis)}`}
      </Total>
      <Total label="Tokens" value={amount(total.input_tokens + total.output_tokens)}>
        {total.cost_micros > 0
          ? `Cost ${cost(total.cost_micros)}`
          : `${amount(total.input_tokens)} read, ${amount(total.output_tokens)} written`}
      </Total>
    </SimpleGrid>
  );
}

function Total({
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

function Limits({ limits }: { limits: Schemas["OrganizationLimits"] }) {
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
        <Limit label="Runs at once" used={limits.running_now} most={limits.running_instances} />
      </SimpleGrid>
    </Card>
  );
}

const NEAR = 80;

function Limit({ label, used, most }: { label: string; used: number; most: number }) {
  const percent = most > 0 ? Math.min(100, (used / most) * 100) : 0;
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <Text size="sm">{label}</Text>
        <Text size="sm" fw={600}>
          {amount(used)} of {amount(most)}
        </Text>
      </Group>
      <Progress value={percent} color={percent >= NEAR ? "red.8" : undefined} aria-label={label} />
      {percent >= NEAR && (
        <Text size="xs" mt={4} c="var(--mantine-color-error)">
          {percent >= 100 ? "Reached: more is refused or waits." : "Nearly reached."}
        </Text>
      )}
    </div>
  );
}
