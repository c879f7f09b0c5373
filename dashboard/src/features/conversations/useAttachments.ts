import { useCallback, useRef, useState } from "react";
import { refusalOf, typeOf } from "./attachments";

/** A file to send with the next message. */
export interface Attachment {
  id: number;
  file: File;
  /** Why it cannot be sent. */
  refusal?: string;
  /** The uploaded share, from 0 to 1; undefined until the upload starts. */
  share?: number;
  /** Its name in the service, once it is uploaded. */
  filename?: string;
  /** Why sending failed. */
  error?: unknown;
}

/** The files that were picked, dropped or pasted, in their order. */
export function useAttachments() {
  const [list, setList] = useState<Attachment[]>([]);
  const last = useRef(0);
  const add = useCallback((files: Iterable<File>) => {
    const added = [...files].map((each) => {
      const file = each.type === typeOf(each) ? each : new File([each], each.name, { type: typeOf(each) });
      return { id: ++last.current, file, refusal: refusalOf(file) };
    });
    setList((now) => [...now, ...added]);
  }, []);
  const remove = useCallback((id: number) => setList((now) => now.filter((each) => each.id !== id)), []);
  const update = useCallback(
    (id: number, change: Partial<Attachment>) =>
      setList((now) => now.map((each) => (each.id === id ? { ...each, ...change } : each))),
    [],
  );
  return { list, add, remove, update };
}

export type Attachments = ReturnType<typeof useAttachments>;
