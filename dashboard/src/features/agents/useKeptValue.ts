import { useState } from "react";
import { useMe, useOrganizationId } from "../../api";
import { browserStorage, draftKey, readDraft, writeDraft } from "../../components/localDrafts";

/** A value that this browser keeps for the signed-in user, such as the inputs of test runs. */
export function useKeptValue<T>(name: string, initial: T) {
  const orgId = useOrganizationId();
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
