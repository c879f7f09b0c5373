import { useState, type ReactNode } from "react";
import { ColumnReview, needsReview, type ImportOptions, type Preview } from "./ColumnReview";

type Load = (options: ImportOptions) => Promise<Preview>;

/**
 * Asks for the import options in the middle of an upload, if there is something to decide or the person wants to.
 * `dialog` is what to show meanwhile, and null otherwise.
 */
export function useColumnReview(): {
  dialog: ReactNode;
  ask: (load: Load, always: boolean, abort: AbortController) => Promise<ImportOptions>;
} {
  const [dialog, setDialog] = useState<ReactNode>(null);
  const ask = async (load: Load, always: boolean, abort: AbortController) => {
    const preview = await load({});
    if (!always && !needsReview(preview)) {
      return {};
    }
    return new Promise<ImportOptions>((resolve, reject) => {
      abort.signal.addEventListener("abort", () => {
        setDialog(null);
        reject(new DOMException("Cancelled", "AbortError"));
      });
      setDialog(
        <ColumnReview
          preview={preview}
          load={load}
          onCancel={() => abort.abort()}
          onImport={(options) => {
            setDialog(null);
            resolve(options);
          }}
        />,
      );
    });
  };
  return { dialog, ask };
}
