import { Checkbox } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
import {
  checkReadable,
  createDataLake,
  deleteDataLake,
  importUpload,
  previewImport,
  uploadFile,
  useDataLakes,
  useOrganizationId,
} from "../../api";
import { SecondaryButton } from "../../components/variants";
import { nameError } from "../../components/nameError";
import { Form } from "../../components/Form";
import { CsvPreview } from "./CsvPreview";
import { DataFileInput, fileErrorOf, isEmpty } from "./DataFileInput";
import { formatOf, type Format } from "./formats";
import { ImportProgressBar, type ImportProgress } from "./ImportProgressBar";
import { NameAndFormatFields } from "./NameAndFormatFields";
import type { ImportOptions, Load } from "./readTable";
import { useColumnReview } from "./useColumnReview";
import { useFileStart } from "./useFileStart";
import { useCreateDataSet } from "./useCreateDataSet";

interface NewDataSet {
  name: string;
  format: Format;
  file: File;
}

/** Creates a data set, uploads the file to a presigned URL and imports it. Cleans up after a failure. */
async function importFile(
  orgId: string,
  { name, format, file }: NewDataSet,
  abort: AbortController,
  onProgress: (now: ImportProgress) => void,
  review: (load: Load) => Promise<ImportOptions>,
) {
  const { signal } = abort;
  await checkReadable(file);
  const { data_lake, upload: to } = await createDataLake(orgId, {
    name: name.trim(),
    format,
    size: file.size,
  });
  try {
    // The user may have cancelled before the upload started.
    signal.throwIfAborted();
    await uploadFile(to!, file, { signal, onProgress: (share) => onProgress({ importing: false, share }) });
    onProgress({ importing: true, share: 1 });
    const body = await review((options) => previewImport(orgId, data_lake.id, options, signal));
    return await importUpload(orgId, data_lake.id, body, signal);
  } catch (error) {
    // The server has already deleted the data set if the import failed, so this may get 404.
    await deleteDataLake(orgId, data_lake.id).catch(() => null);
    throw error;
  }
}

/** The file's name without its extension. */
const proposedName = (file: File | null) => file?.name.replace(/\.[^.]*$/, "") ?? "";

/** Creates a data set from a file. */
export function UploadForm({ onBusy }: { onBusy: (busy: boolean) => void }) {
  const orgId = useOrganizationId();
  const form = useForm({
    initialValues: { file: null as File | null, name: "", format: null as Format | null },
    // The button is disabled until a file and a format are chosen.
    transformValues: (values) => values as NewDataSet,
  });
  const { file, name: chosenName, format } = form.values;
  const start = useFileStart(file, format);
  const taken = nameError(useDataLakes().data, chosenName);
  const [progress, setProgress] = useState<ImportProgress>({ importing: false, share: 0 });
  const abort = useRef<AbortController | null>(null);
  const [isReviewed, setReviewed] = useState(false);
  const review = useColumnReview();
  const create = useCreateDataSet(onBusy, (dataSet: NewDataSet) => {
    setProgress({ importing: false, share: 0 });
    const current = new AbortController();
    abort.current = current;
    return importFile(orgId, dataSet, current, setProgress, (load) =>
      review.ask({ load, always: isReviewed, abort: current }),
    );
  });
  // Cancel the upload when the dialog closes, also by Back.
  useEffect(() => () => abort.current?.abort(), []);
  const choose = (chosen: File | null) => {
    create.reset();
    form.setValues(({ name }) =>
      chosen
        ? {
            file: chosen,
            format: formatOf(chosen.name),
            name: name === "" || name === proposedName(file) ? proposedName(chosen) : name,
          }
        : { file: null },
    );
  };
  const cancelled = create.error instanceof DOMException || create.error?.cause instanceof DOMException;
  if (review.dialog) {
    return review.dialog;
  }
  return (
    <Form
      form={form}
      mutation={{ ...create, error: cancelled || fileErrorOf(create.error) ? null : create.error }}
      action="Upload"
      button={{
        disabled:
          !file ||
          isEmpty(file) ||
          !format ||
          start.error !== null ||
          (taken !== undefined && !create.isPending),
      }}
      secondaryAction={
        create.isPending && (
          <SecondaryButton onClick={() => abort.current?.abort()}>Cancel upload</SecondaryButton>
        )
      }
    >
      <DataFileInput
        description="CSV, JSON Lines, Parquet or Excel. The file is converted to a table and not stored."
        value={file}
        disabled={create.isPending}
        formatError={start.error}
        uploadError={create.error}
        onChange={choose}
      />
      {start.csv && <CsvPreview start={start.csv} />}
      <NameAndFormatFields
        inputProps={form.getInputProps}
        // The new data set itself is listed while its file is imported.
        nameError={create.isPending ? undefined : taken}
        format={format}
        disabled={create.isPending}
      />
      <Checkbox
        label="Check the columns before the import"
        description="Otherwise you are asked only if something can’t be decided."
        checked={isReviewed}
        disabled={create.isPending || format === "parquet"}
        onChange={(event) => setReviewed(event.currentTarget.checked)}
      />
      {create.isPending && <ImportProgressBar of={progress} />}
    </Form>
  );
}
