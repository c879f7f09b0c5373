import type { Schemas } from "../../api";

export type Format = Schemas["DataLakeFormat"];

export const FORMATS: { value: Format; label: string; extensions: string[] }[] = [
  { value: "csv", label: "CSV", extensions: ["csv"] },
  { value: "jsonl", label: "JSON Lines", extensions: ["jsonl", "ndjson"] },
  { value: "parquet", label: "Parquet", extensions: ["parquet"] },
  { value: "xlsx", label: "Excel (XLSX)", extensions: ["xlsx"] },
];

/** The format of a file by its extension; null if unknown. */
export function formatOf(file: string): Format | null {
  const extension = file.slice(file.lastIndexOf(".") + 1).toLowerCase();
  return FORMATS.find((each) => each.extensions.includes(extension))?.value ?? null;
}

export const formatName = (format: string) => FORMATS.find((each) => each.value === format)?.label ?? format;

/** The `accept` attribute of file inputs. */
export const ACCEPTED = FORMATS.flatMap((each) => each.extensions.map((extension) => `.${extension}`)).join(
  ",",
);
