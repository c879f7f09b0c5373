import { Alert, Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useEffect, useRef, useState, type FormEvent } from "react";
import {
  ApiError,
  checkReadable,
  organizationKey,
  previewReplacement,
  replaceFile,
  startReplacement,
  uploadFile,
  useChange,
  useOrganizationId,
  type Schemas,
} from "../../api";
import { SecondaryButton } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { counted } from "../../components/counted";
import { ColumnChanges } from "./ColumnChanges";
import { CsvPreview } from "./CsvPreview";
import { DataFileInput, fileErrorOf, isEmpty } from "./DataFileInput";
import { formatOf, FORMATS, type Format } from "./formats";
import type { ImportOptions } from "./readTable";
import { useColumnReview } from "./useColumnReview";
import { useFileStart } from "./useFileStart";
import { ImportProgressBar, type ImportProgress } from "./ImportProgressBar";

interface Props {
  lake: Schemas["DataLake"];
  opened: boolean;
  onClose: () => void;
}

/** Replaces the rows of a data set by those of a file. The ID stays, so agents read the new rows. */
export function ReplaceFileDialog({ lake, opened, onClose }: Props) {
  const [busy, setBusy] = useState(false);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title="Replace file"
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      withCloseButton={!busy}
    >
      <ReplaceForm lake={lake} onBusy={setBusy} onDone={onClose} />
    </Modal>
  );
}

/** Which agents could not read the new file; undefined for other errors. */
const brokenAgents = (error: unknown) =>
  error instanceof ApiError && error.code === "in_use"
    ? error.workflows.map(({ name, reasons }) => `'${name}' ${reasons.join(", ")}`).join("; ")
    : undefined;

const MAX_NAMES = 5;

const namesOf = (columns: Schemas["DataLake"]["columns"]) =>
  columns
    .slice(0, MAX_NAMES)
    .map(({ name }) => name)
    .join(", ") + (columns.length > MAX_NAMES ? " and others" : "");

/** The columns whose types were chosen for the last import; Parquet files have types. */
const typedColumns = ({ columns }: Schemas["DataLake"], format: Format) =>
  format === "parquet" ? [] : columns.filter(({ chosen }) => chosen);

/** Describes the options that the import of another file reuses. */
function keptOptions(lake: Schemas["DataLake"], format: Format): string {
  const typed = typedColumns(lake, format);
  return [
    ...(format === "xlsx" && lake.sheet ? [`the sheet “${lake.sheet}”`] : []),
    ...(typed.length > 0 ? [`the types that were chosen for ${namesOf(typed)}`] : []),
  ].join(" and ");
}

interface FormProps {
  lake: Schemas["DataLake"];
  onBusy: (busy: boolean) => void;
  onDone: () => void;
}

function ReplaceForm({ lake, onBusy, onDone }: FormProps) {
  const orgId = useOrganizationId();
  const [file, setFile] = useState<File | null>(null);
  const [format, setFormat] = useState<Format>(lake.format);
  const { csv, error: formatError } = useFileStart(file, format);
  const [progress, setProgress] = useState<ImportProgress>({ importing: false, share: 0 });
  const abort = useRef<AbortController | null>(null);
  const options = useRef<ImportOptions>({});
  const review = useColumnReview();
  useEffect(() => () => abort.current?.abort(), []);
  const kept = keptOptions(lake, format);
  const upload = async (chosen: File, signal: AbortSignal) => {
    setProgress({ importing: false, share: 0 });
    await checkReadable(chosen);
    const target = await startReplacement(orgId, lake.id, { format, size: chosen.size }, signal);
    await uploadFile(target, chosen, {
      signal,
      onProgress: (share) => setProgress({ importing: false, share }),
    });
  };
  const replace = useChange({
    send: async ({ chosen, allowBreaking }: { chosen: File; allowBreaking: boolean }) => {
      const current = new AbortController();
      abort.current = current;
      const { signal } = current;
      // The service keeps the file that was refused.
      if (!allowBreaking) {
        await upload(chosen, signal);
      }
      setProgress({ importing: true, share: 1 });
      if (!allowBreaking) {
        options.current = await review.ask({
          load: (asked) => previewReplacement(orgId, lake.id, { format, ...asked }, signal),
          hasTypes: typedColumns(lake, format).length > 0,
          abort: current,
        });
      }
      const body = { format, allow_breaking: allowBreaking, ...options.current };
      return replaceFile(orgId, lake.id, body, signal);
    },
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    done: ({ name, rows }) => `“${name}” now has ${counted(rows, "row")}.`,
    onSuccess: onDone,
    outdated: [organizationKey(orgId, "data-lakes")],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file) {
      replace.mutate({ chosen: file, allowBreaking: false });
    }
  };
  const broken = brokenAgents(replace.error);
  const isCancelled = replace.error instanceof DOMException || replace.error?.cause instanceof DOMException;
  if (review.dialog) {
    return review.dialog;
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          All rows are replaced and can’t be restored. Agents keep using the data set; columns that published
          agents read must still exist.
        </Text>
        {kept && <Text size="sm">The import uses {kept} again. If the file doesn’t fit, you are asked.</Text>}
        <DataFileInput
          value={file}
          disabled={replace.isPending}
          formatError={formatError}
          uploadError={replace.error}
          onChange={(chosen) => {
            replace.reset();
            setFile(chosen);
            setFormat((now) => (chosen && formatOf(chosen.name)) ?? now);
          }}
        />
        <Select
          label="Format"
          allowDeselect={false}
          data={FORMATS}
          disabled={replace.isPending}
          value={format}
          onChange={(chosen) => chosen && setFormat(chosen as Format)}
        />
        {csv && (
          <>
            <CsvPreview start={csv} />
            <ColumnChanges lake={lake} header={csv.header} />
          </>
        )}
        {replace.isPending && <ImportProgressBar of={progress} />}
        {broken ? (
          <Alert color="yellow" title="This file breaks published agents">
            {broken}
          </Alert>
        ) : (
          !isCancelled && !fileErrorOf(replace.error) && <ErrorNotice error={replace.error} />
        )}
        <Group justify="flex-end">
          {replace.isPending && (
            <SecondaryButton onClick={() => abort.current?.abort()}>Cancel upload</SecondaryButton>
          )}
          {broken && file ? (
            <Button color="red" onClick={() => replace.mutate({ chosen: file, allowBreaking: true })}>
              Replace anyway
            </Button>
          ) : (
            <Button
              type="submit"
              disabled={!file || isEmpty(file) || formatError !== null}
              loading={replace.isPending}
            >
              Replace rows
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
