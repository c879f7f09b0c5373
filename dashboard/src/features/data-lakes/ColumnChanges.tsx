import { Alert, Text } from "@mantine/core";
import { useUsages, type Schemas } from "../../api";
import { UsageLinks } from "../../components/UsedBy";

interface Props {
  lake: Schemas["DataLake"];
  /** The columns of the new file. */
  header: readonly string[];
}

/** The columns that a new file adds to a data set and those that it lacks, with the agents that may read them. */
export function ColumnChanges({ lake, header }: Props) {
  const usages = useUsages("data_lake", [lake.id]);
  const before = lake.columns.map(({ name }) => name);
  const added = header.filter((name) => !before.includes(name));
  const missing = before.filter((name) => !header.includes(name));
  const usage = usages.data?.get(lake.id);
  return (
    <>
      {added.length > 0 && <Text size="sm">New columns: {added.join(", ")}</Text>}
      {missing.length > 0 && (
        <Alert color="yellow" title={`Columns that the new file lacks: ${missing.join(", ")}`}>
          Tasks that read them fail until they are changed.
          {usage !== undefined && usage.total > 0 && (
            <div>
              Used by: <UsageLinks usage={usage} none="no agent" size="sm" />
            </div>
          )}
        </Alert>
      )}
    </>
  );
}
