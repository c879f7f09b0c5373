import { Card, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useOrganizationId, type Schemas } from "../../api";
import { InlineLink } from "../../components/PageLink";
import { Dimmed, DimmedXs } from "../../components/variants";
import { formatCost, formatCount } from "../../components/formatNumbers";
import { formatDuration } from "../../components/Time";
import { change } from "./change";
import classes from "./overview.module.css";

type Numbers = Schemas["UsageNumbers"];

interface Props {
  span: { value: string; label: string };
  total: Numbers;
  previous: Numbers;
}

const CHANGE_COLORS = { good: "var(--tone-good-fg)", bad: "var(--mantine-color-error)", neutral: "dimmed" };

function finishedRuns(total: Numbers): number {
  return total.runs_completed + total.runs_failed + total.runs_cancelled + total.runs_terminated;
}

export function isQuiet(total: Numbers): boolean {
  return total.messages_received + total.messages_sent + finishedRuns(total) + total.input_tokens === 0;
}

/** The numbers of the period, each with its change from the period before. */
export function TotalCards({ span, total, previous }: Props) {
  const orgId = useOrganizationId();
  const runs = `/organizations/${orgId}/runs?hours=${span.value}&test_run=false`;
  const compared = (read: (numbers: Numbers) => number | null, better?: "more" | "less") => {
    const changed = change(read(total), read(previous), better);
    return (
      changed && (
        <Text size="xs" c={CHANGE_COLORS[changed.tone]} mt={2}>
          {changed.text}
        </Text>
      )
    );
  };
  return (
    <div className={classes.totals}>
      <TotalCard
        label="Messages"
        value={formatCount(total.messages_received + total.messages_sent)}
        change={compared((each) => each.messages_received + each.messages_sent)}
      >
        {formatCount(total.messages_received)} received, {formatCount(total.messages_sent)} sent
      </TotalCard>
      <TotalCard
        label="Runs finished"
        value={formatCount(finishedRuns(total))}
        change={compared(finishedRuns)}
      >
        <InlineLink to={`${runs}&status=COMPLETED`}>{formatCount(total.runs_completed)} completed</InlineLink>
      </TotalCard>
      <TotalCard
        label="Runs failed"
        value={formatCount(total.runs_failed)}
        bad={total.runs_failed > 0}
        change={compared((each) => each.runs_failed, "less")}
      >
        {total.runs_failed > 0 ? (
          <InlineLink to={`${runs}&status=FAILED`}>View failed runs</InlineLink>
        ) : (
          "No failures"
        )}
      </TotalCard>
      <TotalCard
        label="Median run time"
        value={total.median_run_millis === null ? "–" : formatDuration(total.median_run_millis)}
        change={compared((each) => each.median_run_millis)}
      >
        {total.p95_run_millis === null
          ? "No finished runs yet"
          : `95th percentile: ${formatDuration(total.p95_run_millis)}. Includes waiting for people.`}
      </TotalCard>
      <TotalCard
        label="Tokens"
        value={formatCount(total.input_tokens + total.output_tokens)}
        change={compared((each) => each.input_tokens + each.output_tokens)}
      >
        {total.cost_micros > 0
          ? `Cost ${formatCost(total.cost_micros)}`
          : `${formatCount(total.input_tokens)} in, ${formatCount(total.output_tokens)} out`}
      </TotalCard>
    </div>
  );
}

interface CardProps {
  label: string;
  value: string;
  bad?: boolean;
  change: ReactNode;
  children: ReactNode;
}

function TotalCard({ label, value, bad = false, change: changed, children }: CardProps) {
  return (
    <Card withBorder padding="md">
      <Dimmed>{label}</Dimmed>
      <Text fz={26} fw={650} lh={1.3} c={bad ? "var(--mantine-color-error)" : undefined}>
        {value}
      </Text>
      <DimmedXs component="div">{children}</DimmedXs>
      {changed}
    </Card>
  );
}
