import { Button, FileInput, Progress, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { api, ask } from "../../api/client";
import { ApiError, faultsOf } from "../../api/problem";
import { upload } from "../../api/upload";
import { Form } from "../../parts/Form";
import { ACCEPTED, formatOf, type Format } from "./formats";
import { NameAndFormat } from "./NameAndFormat";
import { useMaking } from "./useMaking";

/** How far a file is on its way; `share` of the upload, from 0 to 1. */
interface Progressed {
  importing: boolean;
  share: number;
}

interface Wanted {
  name: string;
  format: Format;
  file: File;
}

/** Creates a data set: the file goes to a signed URL and is then made a table. What breaks off leaves nothing. */
async function bringIn(
  orgId: string,
  { name, format, file }: Wanted,
  signal: AbortSignal,
  onProgress: (now: Progressed) => void,
) {
  const { data_lake, upload: to } = await ask(
    api.POST("/dashboard/api/organizations/{orgId}/data-lakes", {
      params: { path: { orgId } },
      body: { name: name.trim(), format, size: file.size },
    }),
  );
  const params = { path: { orgId, lakeId: data_lake.id } };
  try {
    // It may have been stopped before there was an upload to stop.
    signal.throwIfAborted();
    await upload(to!, file, { signal, onProgress: (share) => onProgress({ importing: false, share }) });
    onProgress({ importing: true, share: 1 });
    return await ask(
      api.POST("/dashboard/api/organizations/{orgId}/data-lakes/{lakeId}/import", { params, signal }),
    );
  } catch (error) {
    // A file that is no table took its data set with it already; then this finds nothing.
    await api
      .DELETE("/dashboard/api/organizations/{orgId}/data-lakes/{lakeId}", { params })
      .catch(() => null);
    throw error;
  }
}

interface Props {
  orgId: string;
  onBusy: (busy: boolean) => void;
}

/** Makes a data set of a file. */
export function UploadForm({ orgId, onBusy }: Props) {
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState("");
  const [format, setFormat] = useState<Format | null>(null);
  const [progress, setProgress] = useState<Progressed>({ importing: false, share: 0 });
  const stop = useRef<AbortController | null>(null);
  const bring = useMaking(orgId, onBusy, (wanted: Wanted) => {
    setProgress({ importing: false, share: 0 });
    stop.current = new AbortController();
    return bringIn(orgId, wanted, stop.current.signal, setProgress);
  });
  // Going back closes the dialog, and nobody could stop the upload any more.
  useEffect(() => () => stop.current?.abort(), []);
  const choose = (chosen: File | null) => {
    setFile(chosen);
    bring.reset();
    if (chosen) {
      setFormat(formatOf(chosen.name) ?? format);
      setName((now) => now || chosen.name.replace(/\.[^.]*$/, ""));
    }
  };
  const { at } = faultsOf(bring.error);
  const stopped = bring.error instanceof DOMException || bring.error?.cause instanceof DOMException;
  return (
    <Form
      sending={{ isPending: bring.isPending, error: stopped ? null : bring.error }}
      onSubmit={() => file && format && bring.start({ name, format, file })}
      action="Upload"
      shown={["/name", "/format"]}
      button={{ disabled: !file || !format }}
      beside={
        bring.isPending && (
          <Button variant="default" onClick={() => stop.current?.abort()}>
            Stop
          </Button>
        )
      }
    >
      <FileInput
        label="File"
        data-autofocus
        description="CSV, JSON lines, Parquet or Excel (its first sheet). It is made a table at once; the file itself is not kept."
        placeholder="Choose a file"
        required
        accept={ACCEPTED}
        value={file}
        disabled={bring.isPending}
        error={bring.error instanceof ApiError && bring.error.status === 413 && "The file is too large."}
        onChange={choose}
      />
      <NameAndFormat
        name={name}
        onName={setName}
        format={format}
        onFormat={setFormat}
        disabled={bring.isPending}
        at={at}
      />
      {bring.isPending && <Progressing of={progress} />}
    </Form>
  );
}

function Progressing({ of: { importing, share } }: { of: Progressed }) {
  const words = importing ? "Making it a table …" : `Uploading: ${Math.round(100 * share)} %`;
  return (
    <div className="slow">
      <Text size="sm" mb={4} role="status">
        {words}
      </Text>
      <Progress value={100 * share} animated={importing} aria-label="Progress of the upload" />
    </div>
  );
}
