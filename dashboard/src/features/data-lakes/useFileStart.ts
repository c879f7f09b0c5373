import { useQuery } from "@tanstack/react-query";
import { isBinary } from "../../components/filePreviews";
import { csvStart, isUniform, unclosedQuote, unreadableLine, type CsvStart } from "./csvStart";
import { formatName, type Format } from "./formats";

const START_BYTES = 64 * 1024;

const isTextFormat = (format: Format | null) => format === "csv" || format === "jsonl";

interface FileStart {
  /** The columns and first rows of a CSV file; null if the server finds them. */
  csv: CsvStart | null;
  /** Why the file can’t be of its format. */
  error: string | null;
}

const NOTHING: FileStart = { csv: null, error: null };

/** What the start of a chosen file tells before its upload. */
export function useFileStart(file: File | null, format: Format | null): FileStart {
  const { data = NOTHING } = useQuery({
    queryKey: ["file-start", file?.name, file?.size, file?.lastModified, format],
    queryFn: async () => startOf(await file!.slice(0, START_BYTES).arrayBuffer(), file!.size, format),
    enabled: file !== null && isTextFormat(format),
    retry: false,
    gcTime: 0,
  });
  return file && format === null
    ? {
        csv: null,
        error:
          "The file’s extension belongs to no supported format. Choose a CSV, JSON Lines, Parquet or Excel (XLSX) file, or select the format.",
      }
    : data;
}

function startOf(bytes: ArrayBuffer, size: number, format: Format | null): FileStart {
  const mark = new Uint8Array(bytes.slice(0, 2)).join();
  if (mark === "255,254" || mark === "254,255") {
    // UTF-16, which the server decodes.
    return NOTHING;
  }
  const text = new TextDecoder().decode(bytes);
  if (isBinary(text)) {
    return { csv: null, error: `The file isn’t UTF-8 text, so it isn’t ${formatName(format ?? "csv")}.` };
  }
  const whole = size <= START_BYTES;
  const unreadable = unreadableLine(bytes, whole);
  if (unreadable !== null) {
    return { csv: null, error: `Line ${unreadable.toLocaleString()} isn’t UTF-8. Save the file as UTF-8.` };
  }
  if (format !== "csv") {
    return NOTHING;
  }
  const quote = whole ? unclosedQuote(text) : null;
  const csv = csvStart(text, whole);
  return quote === null
    ? { csv: isUniform(csv) ? csv : null, error: null }
    : { csv: null, error: `Line ${quote.toLocaleString()} has a quotation mark that is never closed.` };
}
