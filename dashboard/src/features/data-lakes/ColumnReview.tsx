import { Alert, Button, Group, Select, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { DataTable } from "../../components/DataTable";
import { SecondaryButton, DimmedXs } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { counted } from "../../components/counted";
import { optionsOf } from "../../components/optionsOf";
import { typeLabel } from "../../values/columnType";
import { readTable, type ImportOptions, type Load, type Preview, type ReadTable } from "./readTable";

const MAX_COLUMNS = 200;

const AUTOMATIC = "automatic";

const TYPES = optionsOf({
  text: "text",
  number: "number",
  number_comma: "number with a decimal comma",
  boolean: "yes/no",
  date: "date, year first",
  date_day_first: "date, day first",
  date_month_first: "date, month first",
  timestamp: "date and time",
});

/** Whether the import decided something that a person should see. */
export const needsReview = ({ columns, notes, sheets }: Preview) =>
  columns.some(({ note }) => note) || (notes?.length ?? 0) > 0 || (sheets?.length ?? 0) > 1;

interface Props {
  table: ReadTable;
  /** Reads the file again with these options. */
  load: Load;
  /** Whether the service uses the types of the last import. */
  hasTypes: boolean;
  onImport: (options: ImportOptions) => void;
  onCancel: () => void;
}

/** The columns of an uploaded file with their types, which the person may change before the import. */
export function ColumnReview({ table: first, load, hasTypes, onImport, onCancel }: Props) {
  const [{ preview, refusal }, setTable] = useState(first);
  const [sheet, setSheet] = useState<string>();
  const [types, setTypes] = useState<Record<string, string>>({});
  const [error, setError] = useState<unknown>(null);
  const [isLoading, setLoading] = useState(false);
  const read = async <T,>(table: Promise<T>) => {
    setLoading(true);
    setError(null);
    try {
      return await table;
    } catch (failure) {
      setError(failure);
      return null;
    } finally {
      setLoading(false);
    }
  };
  const chooseSheet = async (chosen: string) => {
    const found = await read(readTable(load, { sheet: chosen }, hasTypes));
    if (found) {
      setTable(found);
      setSheet(chosen);
      setTypes({});
    }
  };
  const submit = async () => {
    const chosen = (preview?.columns ?? [])
      .map((column) => [column.name, typeOf(column, types)] as const)
      .filter(([, type]) => type !== AUTOMATIC);
    const options: ImportOptions = {
      ...(sheet ? { sheet } : {}),
      ...(hasTypes || chosen.length > 0 ? { types: Object.fromEntries(chosen) } : {}),
    };
    // A value that isn’t of the chosen type would end the import.
    if (Object.keys(types).length === 0 || (await read(load(options)))) {
      onImport(options);
    }
  };
  const sheets = preview?.sheets ?? refusal?.sheets ?? [];
  return (
    <Stack>
      {preview && (
        <Text size="sm">
          {counted(preview.rows, "row")}. A column has a type only if it keeps every value exactly; otherwise
          it stays text.
        </Text>
      )}
      {refusal && (
        <Alert
          color="yellow"
          role="alert"
          title={
            preview
              ? "The types of the last import don’t fit, so none is chosen"
              : "This sheet can’t be imported"
          }
        >
          {refusal.message}
        </Alert>
      )}
      {sheets.length > 1 && (
        <Select
          label="Sheet"
          allowDeselect={false}
          data={sheets.toSorted()}
          placeholder="Choose another sheet"
          value={sheet ?? preview?.sheets?.[0] ?? null}
          disabled={isLoading}
          onChange={(chosen) => chosen && void chooseSheet(chosen)}
        />
      )}
      {preview?.notes?.map((note) => (
        <Alert key={note} color="yellow" py="xs">
          {note}
        </Alert>
      ))}
      {preview && (
        <ColumnTable
          columns={preview.columns}
          types={types}
          disabled={isLoading}
          onChoose={(name, type) => setTypes((now) => ({ ...now, [name]: type }))}
        />
      )}
      <ErrorNotice error={error} />
      <Group justify="flex-end">
        <SecondaryButton onClick={onCancel}>Cancel upload</SecondaryButton>
        <Button loading={isLoading} disabled={!preview} onClick={() => void submit()}>
          Import
        </Button>
      </Group>
    </Stack>
  );
}

/** The type that the person chose, now or for the last import. */
const typeOf = ({ name, chosen }: Preview["columns"][number], types: Record<string, string>) =>
  types[name] ?? chosen ?? AUTOMATIC;

interface ColumnTableProps {
  columns: Preview["columns"];
  /** The types that were chosen, by column. */
  types: Record<string, string>;
  disabled: boolean;
  onChoose: (name: string, type: string) => void;
}

function ColumnTable({ columns, types, disabled, onChoose }: ColumnTableProps) {
  return (
    <>
      <DataTable
        columns={["Column", "First values", { label: "Type", width: 220 }]}
        minWidth={520}
        maxHeight={360}
        fz="sm"
        aria-label="Columns of the file"
      >
        {columns.slice(0, MAX_COLUMNS).map((column) => {
          const { name, type, note, chosen, samples } = column;
          return (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>
                {samples?.join(", ")}
                {note && <DimmedXs>{note}</DimmedXs>}
              </Table.Td>
              <Table.Td>
                <Select
                  aria-label={`Type of ${name}`}
                  size="xs"
                  allowDeselect={false}
                  data={[
                    { value: AUTOMATIC, label: chosen ? "automatic" : `${typeLabel(type)} (automatic)` },
                    ...TYPES,
                  ]}
                  value={typeOf(column, types)}
                  disabled={disabled}
                  onChange={(next) => onChoose(name, next ?? AUTOMATIC)}
                />
              </Table.Td>
            </Table.Tr>
          );
        })}
      </DataTable>
      {columns.length > MAX_COLUMNS && (
        <DimmedXs>
          The first {MAX_COLUMNS} of {columns.length.toLocaleString()} columns.
        </DimmedXs>
      )}
    </>
  );
}
