import { ApiError, type Schemas } from "../../api";

export type Preview = Schemas["DataLakePreview"];
export type ImportOptions = Schemas["DataLakeImportOptions"];
export type Load = (options: ImportOptions) => Promise<Preview>;

/** A file as it would be imported. */
export interface ReadTable {
  /** Undefined if the sheet is refused. */
  preview?: Preview;
  /** Why the file isn’t read with the types of the last import, or at all. */
  refusal?: ApiError;
}

/**
 * Reads an uploaded file. Throws if no choice of a person could make it a table.
 * @param hasTypes whether the service uses the types of the last import
 */
export async function readTable(load: Load, options: ImportOptions, hasTypes: boolean): Promise<ReadTable> {
  try {
    return { preview: await load(options) };
  } catch (refusal) {
    if (!(refusal instanceof ApiError) || refusal.status !== 400) {
      throw refusal;
    }
    const preview = hasTypes ? await load({ ...options, types: {} }).catch(() => undefined) : undefined;
    if (!preview && refusal.sheets.length < 2) {
      throw refusal;
    }
    return { preview, refusal };
  }
}
