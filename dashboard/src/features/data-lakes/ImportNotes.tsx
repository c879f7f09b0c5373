import { Alert, List } from "@mantine/core";
import type { Schemas } from "../../api";

/** Lists what an import skipped, and why columns stayed text. */
export function ImportNotes({ lake: { notes, columns } }: { lake: Schemas["DataLake"] }) {
  const all = [...(notes ?? []), ...columns.flatMap(({ name, note }) => (note ? [`${name}: ${note}`] : []))];
  return (
    all.length > 0 && (
      <Alert color="blue" mb="md" title="What the import decided">
        <List size="sm">
          {all.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      </Alert>
    )
  );
}
