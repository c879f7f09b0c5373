import { Group, Stack, Text, Tooltip } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../../api/client";
import { Status, toneOf, wordsOf } from "../../parts/Status";
import { moment, Time, utc } from "../../parts/Time";

interface Props {
  orgId: string;
  runs: Schemas["LatestRun"][];
}

/** How an agent fared lately: its newest run in words, the four before it as dots. */
export function LatestRuns({ orgId, runs }: Props) {
  const [newest, ...older] = runs;
  if (!newest) {
    return (
      <Text size="xs" c="dimmed">
        None yet
      </Text>
    );
  }
  const to = (run: Schemas["LatestRun"]) => `/organizations/${orgId}/runs/${run.workflow_instance_id}`;
  return (
    <Stack gap={2}>
      <Group gap={6} wrap="nowrap">
        <Link to={to(newest)} className="rowLink">
          <Status of={newest.status} />
        </Link>
        <Group gap={0} wrap="nowrap">
          {older.map((run) => {
            const told = `${wordsOf(run.status)}, ${moment(run.created_at)}`;
            return (
              <Tooltip key={run.workflow_instance_id} label={`${told} (${utc(run.created_at)})`}>
                <Link
                  to={to(run)}
                  className="statusDot"
                  data-tone={toneOf(run.status)}
                  aria-label={`Earlier run: ${told}`}
                />
              </Tooltip>
            );
          })}
        </Group>
      </Group>
      <Text size="xs" c="dimmed">
        <Time at={newest.created_at} relative />
      </Text>
    </Stack>
  );
}
