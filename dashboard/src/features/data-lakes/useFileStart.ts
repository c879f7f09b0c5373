import { useQuery } from "@tanstack/react-query";
import { isBinary } from "../../components/filePreviews";
import { formatName, type Format } from "./formats";

export const START_BYTES = 64 * 1024;

const isTextFormat = (format: Format | null) => format === "csv" || format === "jsonl";

/** The start of a chosen file as text, if its format is one, and why it can’t be of that format. */
export function useFileStart(file: File | null, format: Format | null) {
  const { data: text } = useQuery({
    queryKey: ["file-start", file?.name, file?.size, file?.lastModified],
    queryFn: () => file!.slice(0, START_BYTES).text(),
    enabled: file !== null && isTextFormat(format),
    retry: false,
    gcTime: 0,
  });
  const binary = file !== null && isTextFormat(format) && text !== undefined && isBinary(text);
  return { text: binary ? undefined : text, error: file && errorOf(format, binary) };
}

function errorOf(format: Format | null, binary: boolean): string | null {
  if (format === null) {
    return "The file’s extension belongs to no supported format. Choose a CSV, JSON Lines, Parquet or Excel (XLSX) file, or select the format.";
  }
  return binary ? `The file isn’t UTF-8 text, so it isn’t ${formatName(format)}.` : null;
}
