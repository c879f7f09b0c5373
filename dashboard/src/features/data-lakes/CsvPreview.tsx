import { Alert, ScrollArea, Table, Text } from "@mantine/core";
import { counted } from "../../components/counted";
import { DimmedXs } from "../../components/variants";
import type { CsvStart } from "./csvStart";

const MAX_ROWS = 5;
const MAX_COLUMNS = 50;

/** The columns with their likely types and the first rows of a CSV file, before it is uploaded. */
export function CsvPreview({ start: { header, rows, types, whole } }: { start: CsvStart }) {
  if (header.length === 0) {
    return null;
  }
  const columns = counted(header.length, "column");
  const count = counted(rows.length, "row");
  const shown = header.slice(0, MAX_COLUMNS);
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {whole ? `${count}, ${columns}` : columns}
      </Text>
      <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: "region", "aria-label": "Preview" }}>
        <Table
          data-grid
          fz="xs"
          verticalSpacing={4}
          withTableBorder
          aria-label="First rows"
          style={{ whiteSpace: "nowrap" }}
        >
          <Table.Thead>
            <Table.Tr>
              {shown.map((name, at) => (
                <Table.Th key={at}>
                  {name}
                  <DimmedXs fw={400}>{types[at] ?? "empty"}</DimmedXs>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, MAX_ROWS).map((row, at) => (
              <Table.Tr key={at}>
                {shown.map((_, column) => (
                  <Table.Td key={column} maw={200} style={{ overflow: "hidden", textOverflow: "ellipsis" }}>
                    {row[column]}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
      {rows.length > 0 ? (
        <DimmedXs mt={4}>The types are guessed from {whole ? "all rows" : `the first ${count}`}.</DimmedXs>
      ) : (
        <Alert color="yellow" mt={4} py="xs">
          The file has a header but no rows, so the data set will be empty.
        </Alert>
      )}
    </div>
  );
}
