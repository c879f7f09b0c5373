import { Alert, Button, Group, Select, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "../../api/client";
import { ErrorNotice } from "../../components/ErrorNotice";
import { typeLabel } from "../../components/columnType";
import { rowCount } from "./rowCount";

export type Preview = Schemas["DataLakePreview"];
export type ImportOptions = Schemas["DataLakeImportOptions"];

const MAX_COLUMNS = 200;

const AUTOMATIC = "automatic";

const TYPES = [
  { value: "text", label: "text" },
  { value: "number", label: "number" },
  { value: "number_comma", label: "number with a decimal comma" },
  { value: "boolean", label: "yes/no" },
  { value: "date", label: "date, year first" },
  { value: "date_day_first", label: "date, day first" },
  { value: "date_month_first", label: "date, month first" },
  { value: "timestamp", label: "date and time" },
];

/** Whether the import decided something that a person should see. */
export const needsReview = ({ columns, notes, sheets }: Preview) =>
  columns.some(({ note }) => note) || (notes?.length ?? 0) > 0 || (sheets?.length ?? 0) > 1;

interface Props {
  preview: Preview;
  /** Reads the file again with these options. */
  load: (options: ImportOptions) => Promise<Preview>;
  onImport: (options: ImportOptions) => void;
  onCancel: () => void;
}

/** The columns of an uploaded file with their types, which the person may change before the import. */
export function ColumnReview({ preview: first, load, onImport, onCancel }: Props) {
  const [preview, setPreview] = useState(first);
  const [sheet, setSheet] = useState<string>();
  const [types, setTypes] = useState<Record<string, string>>({});
  const [error, setError] = useState<unknown>(null);
  const [isLoading, setLoading] = useState(false);
  const read = async (options: ImportOptions) => {
    setLoading(true);
    setError(null);
    try {
      return await load(options);
    } catch (failure) {
      setError(failure);
      return null;
    } finally {
      setLoading(false);
    }
  };
  const chooseSheet = async (chosen: string) => {
    const found = await read({ sheet: chosen });
    if (found) {
      setPreview(found);
      setSheet(chosen);
      setTypes({});
    }
  };
  const submit = async () => {
    const chosen = Object.entries(types).filter(([, type]) => type !== AUTOMATIC);
    const options: ImportOptions = {
      ...(sheet ? { sheet } : {}),
      ...(chosen.length > 0 ? { types: Object.fromEntries(chosen) } : {}),
    };
    // A value that isn’t of the chosen type would end the import.
    if (!options.types || (await read(options))) {
      onImport(options);
    }
  };
  const sheets = preview.sheets ?? [];
  return (
    <Stack>
      <Text size="sm">
        {rowCount(preview.rows)}. A column has a type only if it keeps every value exactly; otherwise it stays
        text.
      </Text>
      {sheets.length > 1 && (
        <Select
          label="Sheet"
          allowDeselect={false}
          data={sheets.toSorted()}
          value={sheet ?? sheets[0]!}
          disabled={isLoading}
          onChange={(chosen) => chosen && void chooseSheet(chosen)}
        />
      )}
      {preview.notes?.map((note) => (
        <Alert key={note} color="yellow" py="xs">
          {note}
        </Alert>
      ))}
      <Table.ScrollContainer minWidth={520} maxHeight={360}>
        <Table fz="sm" aria-label="Columns of the file">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Column</Table.Th>
              <Table.Th>First values</Table.Th>
              <Table.Th>Type</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {preview.columns.slice(0, MAX_COLUMNS).map(({ name, type, note, samples }) => (
              <Table.Tr key={name}>
                <Table.Td>{name}</Table.Td>
                <Table.Td>
                  {samples?.join(", ")}
                  {note && (
                    <Text size="xs" c="dimmed">
                      {note}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <Select
                    aria-label={`Type of ${name}`}
                    size="xs"
                    allowDeselect={false}
                    data={[{ value: AUTOMATIC, label: `${typeLabel(type)} (automatic)` }, ...TYPES]}
                    value={types[name] ?? AUTOMATIC}
                    disabled={isLoading}
                    onChange={(chosen) => setTypes((now) => ({ ...now, [name]: chosen ?? AUTOMATIC }))}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {preview.columns.length > MAX_COLUMNS && (
        <Text size="xs" c="dimmed">
          The first {MAX_COLUMNS} of {preview.columns.length.toLocaleString()} columns.
        </Text>
      )}
      <ErrorNotice error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel upload
        </Button>
        <Button loading={isLoading} onClick={() => void submit()}>
          Import
        </Button>
      </Group>
    </Stack>
  );
}
