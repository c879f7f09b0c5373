import { Button, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef } from "react";
import { ApiError } from "../api";
import { CodeText } from "./CodeBlock";
import { DimmedXs } from "./variants";
import { isBinary, isolatedHtml, parseCsv, PREVIEW_BYTES, type PreviewKind } from "./filePreviews";
import { Markdown } from "./Markdown";
import { QueryBoundary } from "./QueryBoundary";
import classes from "./filePreview.module.css";

const MAX_ROWS = 100;
const MAX_COLUMNS = 30;

interface FileStart {
  bytes: Blob;
  /** Whether these are all of its bytes. */
  complete: boolean;
}

/** Loads the first bytes of a file. */
async function load(url: string, bytes: number): Promise<FileStart> {
  let response: Response;
  try {
    response = await fetch(url, { headers: { Range: `bytes=0-${bytes - 1}` } });
  } catch (error) {
    throw ApiError.unreachable(error);
  }
  if (response.status === 416) {
    return { bytes: new Blob(), complete: true };
  }
  if (!response.ok) {
    throw ApiError.of(response, await response.json().catch(() => null));
  }
  const size = Number(/\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "")?.[1] ?? 0);
  return { bytes: await response.blob(), complete: size <= bytes };
}

/** The content of a stored file. Files are never opened as pages of this origin: see `load` and the frames below. */
export default function FilePreview({ url, name, kind }: { url: string; name: string; kind: PreviewKind }) {
  const start = useQuery({
    queryKey: ["file", url],
    queryFn: async () => {
      const found = await load(url, PREVIEW_BYTES[kind]);
      return { ...found, text: kind === "pdf" ? "" : await found.bytes.text() };
    },
    staleTime: Infinity,
    gcTime: 60_000,
  });
  return (
    <QueryBoundary query={start}>
      {({ bytes, text, complete }) => {
        if (!complete && (kind === "pdf" || kind === "html")) {
          return <Note>This file is too large for a preview. Download it instead.</Note>;
        }
        if (isBinary(text)) {
          return <Note>This file isn’t UTF-8 text, so there is no preview. Download it instead.</Note>;
        }
        return (
          <div className={classes.preview}>
            {kind === "pdf" && <Pdf bytes={bytes} name={name} />}
            {kind === "html" && (
              <iframe
                className={classes.page}
                sandbox=""
                srcDoc={isolatedHtml(text)}
                title={`Preview of ${name}`}
              />
            )}
            {kind === "csv" && <Csv text={text} name={name} />}
            {kind === "markdown" && <Markdown>{text}</Markdown>}
            {kind === "text" && <CodeText label={`Preview of ${name}`}>{text}</CodeText>}
            {!complete && <Note>Only the beginning is shown. Download the file to read all of it.</Note>}
          </div>
        );
      }}
    </QueryBoundary>
  );
}

function Note({ children }: { children: string }) {
  return <DimmedXs mt={4}>{children}</DimmedXs>;
}

/**
 * The browser's viewer, which does not work in a sandboxed frame. The type of the blob is fixed, so the browser never
 * reads the file as HTML.
 */
function Pdf({ bytes, name }: { bytes: Blob; name: string }) {
  const pdf = useMemo(() => new Blob([bytes], { type: "application/pdf" }), [bytes]);
  const frame = useRef<HTMLIFrameElement>(null);
  const show = useCallback(
    (element: HTMLIFrameElement) => {
      const address = URL.createObjectURL(pdf);
      element.src = address;
      frame.current = element;
      return () => URL.revokeObjectURL(address);
    },
    [pdf],
  );
  return (
    <>
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- browsers show no PDF files in sandboxed frames */}
      <iframe ref={show} className={classes.page} title={`Preview of ${name}`} />
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={() => window.open(frame.current?.src, "_blank", "noopener")}
      >
        Open in a new tab
      </Button>
    </>
  );
}

function Csv({ text, name }: { text: string; name: string }) {
  const rows = parseCsv(text, MAX_ROWS + 2);
  const [head = [], ...body] = rows.map((row) => row.slice(0, MAX_COLUMNS));
  const cut = rows.length > MAX_ROWS + 1 || rows.some((row) => row.length > MAX_COLUMNS);
  // Rows and cells have no IDs and never reorder.
  // oxlint-disable react/no-array-index-key
  return (
    <>
      <div className={classes.table} tabIndex={0} role="group" aria-label={`Preview of ${name}`}>
        <Table data-grid striped withTableBorder>
          <Table.Thead>
            <Table.Tr>
              {head.map((cell, column) => (
                <Table.Th key={column}>{cell}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {body.slice(0, MAX_ROWS).map((row, index) => (
              <Table.Tr key={index}>
                {row.map((cell, column) => (
                  <Table.Td key={column}>{cell}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {cut && <Note>{`The first ${MAX_ROWS} rows and ${MAX_COLUMNS} columns are shown.`}</Note>}
    </>
  );
  // oxlint-enable react/no-array-index-key
}
