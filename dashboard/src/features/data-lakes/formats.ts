import type { Schemas } from "../../api/client";

export type Format = Schemas["DataLakeFormat"];

export const FORMATS: { value: Format; label: string; endings: string[] }[] = [
  { value: "csv", label: "CSV", endings: ["csv"] },
  { value: "jsonl", label: "JSON lines", endings: ["jsonl", "ndjson"] },
  { value: "parquet", label: "Parquet", endings: ["parquet"] },
  { value: "xlsx", label: "Excel (XLSX)", endings: ["xlsx"] },
];

/** By the ending of the file's name; null where it tells nothing. */
export function formatOf(file: string): Format | null {
  const ending = file.slice(file.lastIndexOf(".") + 1).toLowerCase();
  return FORMATS.find((each) => each.endings.includes(ending))?.value ?? null;
}

export const formatName = (format: Format) => FORMATS.find((each) => each.value === format)?.label ?? format;

/** What a file dialog offers. */
export const ACCEPTED = FORMATS.flatMap((each) => each.endings.map((ending) => `.${ending}`)).join(",");
