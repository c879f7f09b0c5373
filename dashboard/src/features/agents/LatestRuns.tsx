import { Group, Stack, Text, Tooltip } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../../api/client";
import { StatusLabel, statusTone, statusText } from "../../components/StatusLabel";
import { formatDateTime, Time, formatUtc } from "../../components/Time";

interface Props {
  orgId: string;
  runs: Schemas["LatestRun"][];
}

/** The latest run of an agent as text, and up to four earlier ones as dots. */
export function LatestRuns({ orgId, runs }: Props) {
  const [newest, ...older] = runs;
  if (!newest) {
    return (
      <Text size="xs" c="dimmed">
        No runs yet
      </Text>
    );
  }
  const to = (run: Schemas["LatestRun"]) => `/organizations/${orgId}/runs/${run.workflow_instance_id}`;
  return (
    <Stack gap={2}>
      <Group gap={6} wrap="nowrap">
        <Link to={to(newest)} className="rowLink">
          <StatusLabel status={newest.status} />
        </Link>
        <Group gap={0} wrap="nowrap">
          {older.map((run) => {
            const summary = `${run.test_run ? "Test run, " : ""}${statusText(run.status)}, ${formatDateTime(run.created_at)}`;
            return (
              <Tooltip key={run.workflow_instance_id} label={`${summary} (${formatUtc(run.created_at)})`}>
                <Link
                  to={to(run)}
                  className="statusDot"
                  data-tone={statusTone(run.status)}
                  aria-label={`Earlier run: ${summary}`}
                />
              </Tooltip>
            );
          })}
        </Group>
      </Group>
      <Text size="xs" c="dimmed">
        <Time at={newest.created_at} relative />
        {newest.test_run && " · Test"}
      </Text>
    </Stack>
  );
}
