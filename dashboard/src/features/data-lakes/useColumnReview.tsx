import { useState, type ReactNode } from "react";
import { ColumnReview, needsReview } from "./ColumnReview";
import { readTable, type ImportOptions, type Load } from "./readTable";

interface Question {
  load: Load;
  /** Whether to ask although nothing needs a decision. */
  always?: boolean;
  /** Whether the service uses the types of the last import. */
  hasTypes?: boolean;
  abort: AbortController;
}

/**
 * Asks for the import options in the middle of an upload, if there is something to decide or the person wants to.
 * `dialog` is what to show meanwhile, and null otherwise.
 */
export function useColumnReview(): {
  dialog: ReactNode;
  ask: (question: Question) => Promise<ImportOptions>;
} {
  const [dialog, setDialog] = useState<ReactNode>(null);
  const ask = async ({ load, always = false, hasTypes = false, abort }: Question) => {
    const table = await readTable(load, {}, hasTypes);
    if (!always && table.preview && !table.refusal && !needsReview(table.preview)) {
      return {};
    }
    return new Promise<ImportOptions>((resolve, reject) => {
      abort.signal.addEventListener("abort", () => {
        setDialog(null);
        reject(new DOMException("Cancelled", "AbortError"));
      });
      setDialog(
        <ColumnReview
          table={table}
          load={load}
          hasTypes={hasTypes}
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
