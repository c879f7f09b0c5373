import { ScrollArea, Table, Text } from "@mantine/core";
import { useMemo } from "react";
import { parseCsv } from "../../components/filePreviews";
import { START_BYTES } from "./useFileStart";

const MAX_ROWS = 5;
const MAX_COLUMNS = 50;

function startOf(text: string, size: number) {
  const rows = parseCsv(text, MAX_ROWS + 2);
  // Its last row may be cut off.
  const [header = [], ...body] = size > START_BYTES && rows.length < MAX_ROWS + 2 ? rows.slice(0, -1) : rows;
  return { header: header.slice(0, MAX_COLUMNS), columns: header.length, rows: body.slice(0, MAX_ROWS) };
}

interface Props {
  /** The start of the file. */
  text: string;
  /** The size of the file in bytes. */
  size: number;
}

/** The columns and first rows of a CSV file, before it is uploaded. */
export function CsvPreview({ text, size }: Props) {
  const start = useMemo(() => startOf(text, size), [text, size]);
  if (start.columns === 0) {
    return null;
  }
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {start.columns === 1 ? "1 column" : `${start.columns.toLocaleString()} columns`}
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
              {start.header.map((name, at) => (
                <Table.Th key={at}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {start.rows.map((row, at) => (
              <Table.Tr key={at}>
                {start.header.map((_, column) => (
                  <Table.Td key={column} maw={200} style={{ overflow: "hidden", textOverflow: "ellipsis" }}>
                    {row[column]}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
    </div>
  );
}
