import { Group, Stack, Tooltip } from "@mantine/core";
import { Link } from "react-router";
import { useOrganizationId, type Schemas } from "../../api";
import { DimmedXs } from "../../components/variants";
import { StatusLabel, statusTone, statusText } from "../../components/StatusLabel";
import { formatDateTime, Time, formatUtc } from "../../components/Time";

/** The latest run of an agent as text, and up to four earlier ones as dots. */
export function LatestRuns({ runs }: { runs: Schemas["LatestRun"][] }) {
  const orgId = useOrganizationId();
  const [newest, ...older] = runs;
  if (!newest) {
    return <DimmedXs>No runs yet</DimmedXs>;
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
      <DimmedXs>
        <Time at={newest.created_at} relative />
        {newest.test_run && " · Test"}
      </DimmedXs>
    </Stack>
  );
}
