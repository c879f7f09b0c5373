import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
import { api, unwrap } from "../../api/client";
import { checkReadable, uploadFile } from "../../api/upload";
import { useDataLakes } from "../../api/queries";
import { nameError } from "../../components/nameError";
import { Form } from "../../components/Form";
import { CsvPreview } from "./CsvPreview";
import { DataFileInput, fileErrorOf, isEmpty } from "./DataFileInput";
import { formatOf, type Format } from "./formats";
import { ImportProgressBar, type ImportProgress } from "./ImportProgressBar";
import { NameAndFormatFields } from "./NameAndFormatFields";
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
  signal: AbortSignal,
  onProgress: (now: ImportProgress) => void,
) {
  await checkReadable(file);
  const { data_lake, upload: to } = await unwrap(
    api.POST("/dashboard/api/organizations/{orgId}/data-lakes", {
      params: { path: { orgId } },
      body: { name: name.trim(), format, size: file.size },
    }),
  );
  const params = { path: { orgId, lakeId: data_lake.id } };
  try {
    // The user may have cancelled before the upload started.
    signal.throwIfAborted();
    await uploadFile(to!, file, { signal, onProgress: (share) => onProgress({ importing: false, share }) });
    onProgress({ importing: true, share: 1 });
    return await unwrap(
      api.POST("/dashboard/api/organizations/{orgId}/data-lakes/{lakeId}/import", { params, signal }),
    );
  } catch (error) {
    // The server has already deleted the data set if the import failed, so this may get 404.
    await api
      .DELETE("/dashboard/api/organizations/{orgId}/data-lakes/{lakeId}", { params })
      .catch(() => null);
    throw error;
  }
}

/** The file's name without its extension. */
const proposedName = (file: File | null) => file?.name.replace(/\.[^.]*$/, "") ?? "";

interface Props {
  orgId: string;
  onBusy: (busy: boolean) => void;
}

/** Creates a data set from a file. */
export function UploadForm({ orgId, onBusy }: Props) {
  const form = useForm({
    initialValues: { file: null as File | null, name: "", format: null as Format | null },
    // The button is disabled until a file and a format are chosen.
    transformValues: (values) => values as NewDataSet,
  });
  const { file, name: chosenName, format } = form.values;
  const start = useFileStart(file, format);
  const taken = nameError(useDataLakes(orgId).data, chosenName);
  const [progress, setProgress] = useState<ImportProgress>({ importing: false, share: 0 });
  const abort = useRef<AbortController | null>(null);
  const create = useCreateDataSet(orgId, onBusy, (dataSet: NewDataSet) => {
    setProgress({ importing: false, share: 0 });
    abort.current = new AbortController();
    return importFile(orgId, dataSet, abort.current.signal, setProgress);
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
          <Button variant="default" onClick={() => abort.current?.abort()}>
            Cancel upload
          </Button>
        )
      }
    >
      <DataFileInput
        description="CSV, JSON Lines, Parquet or Excel (first sheet). The file is converted to a table and not stored."
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
      {create.isPending && <ImportProgressBar of={progress} />}
    </Form>
  );
}
