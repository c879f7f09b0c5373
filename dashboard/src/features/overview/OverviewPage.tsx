import { Card, Group, Progress, SegmentedControl, SimpleGrid, Stack, Text } from "@mantine/core";
import { TextLink } from "../../components/PageLink";
import { useIsMember, useIsOwner, useUsage, type Schemas } from "../../api";
import { SectionHeading, Dimmed, CardHeading, Strong, ErrorXs } from "../../components/variants";
import { ABOUT_PARLEY } from "../../components/aboutParley";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { useFilters } from "../../components/useFilters";
import { AgentUsage } from "./AgentUsage";
import { Attention } from "./Attention";
import { MemberWelcome } from "./MemberWelcome";
import { NoModelNotice } from "./NoModelNotice";
import { isQuiet, TotalCards } from "./TotalCards";
import { UsageCharts } from "./UsageCharts";
import { FirstSteps, useChecklistDismissed } from "./FirstSteps";
import { formatCount } from "../../components/formatNumbers";
import { optionsOf } from "../../components/optionsOf";
import { useStored } from "../../components/useStored";

const SPANS = optionsOf({ 24: "24 hours", 168: "7 days", 720: "30 days", 2160: "90 days" });

const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** An organization's start page: recent activity and usage of its limits. */
export default function OverviewPage() {
  const filters = useFilters();
  const [dismissed] = useChecklistDismissed();
  const isOwner = useIsOwner();
  const isInvited = useIsMember() && !isOwner;
  const [chosen, setChosen] = useStored("overview-hours", "24");
  const hours = filters.get("hours") ?? chosen;
  const span = SPANS.find((each) => each.value === hours) ?? SPANS[0]!;
  const overview = useUsage(span.value, { hours: Number(span.value), time_zone: TIME_ZONE });
  return (
    <Page
      title="Overview"
      about={
        overview.data && isQuiet(overview.data.usage.total)
          ? ABOUT_PARLEY
          : `The last ${span.label} compared with the ${span.label} before, without test runs.`
      }
      actions={
        overview.data &&
        !isFresh(overview.data) && (
          <SegmentedControl
            aria-label="Period"
            data={SPANS}
            value={span.value}
            onChange={(value) => {
              setChosen(value);
              filters.set("hours", value);
            }}
          />
        )
      }
    >
      <QueryBoundary query={overview}>
        {(found) => {
          const { usage, limits, first_steps, model_connected, failed_runs } = found;
          const quiet = isQuiet(usage.total);
          const fresh = isFresh(found) && !dismissed;
          const totals = <TotalCards span={span} total={usage.total} previous={usage.previous} />;
          // Members and admins who join an organization in use have first steps of their own.
          const welcomed = isInvited && !isFresh(found);
          // A new organization starts with the checklist, a busy one with what needs attention.
          return (
            <Stack gap="lg">
              {welcomed && <MemberWelcome withAbout={!quiet} />}
              {!model_connected && <NoModelNotice />}
              <Attention hours={span.value} failedRuns={failed_runs} />
              {!quiet && totals}
              {!quiet && <UsageCharts usage={usage} />}
              {!quiet && <AgentUsage hours={span.value} workflows={usage.workflows} />}
              {!welcomed && <FirstSteps steps={first_steps} />}
              {quiet && !fresh && totals}
              {quiet && !fresh && <Quiet span={span.label} canWiden={span !== SPANS.at(-1)} />}
              {!fresh && <LimitsCard limits={limits} />}
            </Stack>
          );
        }}
      </QueryBoundary>
    </Page>
  );
}

/** Whether nothing has happened yet, so that there are no figures to show. */
const isFresh = ({ usage, first_steps: steps }: Schemas["Overview"]) =>
  isQuiet(usage.total) && !steps.agent_run && !steps.conversation_started;

function Quiet({ span, canWiden }: { span: string; canWiden: boolean }) {
  return (
    <Card withBorder padding="lg">
      <SectionHeading>No activity in the last {span}</SectionHeading>
      <Dimmed mt={4} component="div">
        Charts appear here once there is activity. Test runs don’t count.
        {canWiden && (
          <>
            {" "}
            Looking for something older? View <TextLink to="overview?hours=2160">the last 90 days</TextLink>.
          </>
        )}
      </Dimmed>
    </Card>
  );
}

function LimitsCard({ limits }: { limits: Schemas["OrganizationLimits"] }) {
  return (
    <Card withBorder padding="lg">
      <CardHeading mb="md">Limits</CardHeading>
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
        <Strong>
          {formatCount(used)} of {formatCount(most)}
        </Strong>
      </Group>
      <Progress value={percent} color={percent >= WARNING_PERCENT ? "red.8" : undefined} aria-label={label} />
      {percent >= WARNING_PERCENT && (
        <ErrorXs mt={4}>
          {percent >= 100 ? "Limit reached: new requests are rejected or queued." : "Close to the limit."}
        </ErrorXs>
      )}
    </div>
  );
}
