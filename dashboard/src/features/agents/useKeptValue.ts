import { useState } from "react";
import { useMe } from "../../api/queries";
import { browserStorage, draftKey, readDraft, writeDraft } from "../../components/localDrafts";

/** A value that this browser keeps for the signed-in user, such as the inputs of test runs. */
export function useKeptValue<T>(orgId: string, name: string, initial: T) {
  const { data: me } = useMe();
  const key = draftKey(me?.id ?? "", orgId, name);
  const read = (): T => (readDraft(browserStorage(), key, Date.now())?.value as T | undefined) ?? initial;
  const [kept, setKept] = useState(() => ({ key, value: read() }));
  const value = kept.key === key ? kept.value : read();
  const set = (change: (now: T) => T) => {
    const next = change(value);
    setKept({ key, value: next });
    writeDraft(browserStorage(), key, next, Date.now());
  };
  return [value, set] as const;
}
