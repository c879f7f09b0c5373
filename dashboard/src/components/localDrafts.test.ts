import { beforeEach, describe, expect, it } from "vitest";
import { draftKey, readDraft, writeDraft } from "./localDrafts";

const DAY = 24 * 3600 * 1000;
const NOW = 1_800_000_000_000;
const content = new Map<string, string>();
const store = {
  get length() {
    return content.size;
  },
  key: (index: number) => [...content.keys()][index] ?? null,
  getItem: (key: string) => content.get(key) ?? null,
  setItem: (key: string, value: string) => void content.set(key, value),
  removeItem: (key: string) => void content.delete(key),
};

describe("local drafts", () => {
  beforeEach(() => content.clear());

  it("returns a draft with its time, and none that is older than two weeks", () => {
    const key = draftKey("ada", "acme", "ticket/7");
    expect(writeDraft(store, key, { note: "half" }, NOW)).toBe(true);
    expect(readDraft(store, key, NOW + DAY)).toEqual({ at: NOW, value: { note: "half" } });
    expect(readDraft(store, key, NOW + 15 * DAY)).toBeNull();
  });

  it("ignores stored values that are not drafts", () => {
    store.setItem("parley.draft:x", "{");
    store.setItem("parley.draft:y", '"text"');
    expect(readDraft(store, "parley.draft:x", NOW)).toBeNull();
    expect(readDraft(store, "parley.draft:y", NOW)).toBeNull();
    expect(readDraft(store, "parley.draft:z", NOW)).toBeNull();
  });

  it("drops the oldest drafts beyond the limits, and refuses one that is too large", () => {
    for (let index = 0; index < 105; index++) {
      writeDraft(store, draftKey("ada", "acme", `n${index}`), index, NOW + index);
    }
    expect(content.size).toBe(100);
    expect(readDraft(store, draftKey("ada", "acme", "n4"), NOW)).toBeNull();
    const large = "x".repeat(1_000_000);
    for (const name of ["a", "b", "c"]) {
      expect(writeDraft(store, draftKey("ada", "acme", name), large, NOW + 1000)).toBe(true);
    }
    expect([...content.values()].reduce((sum, text) => sum + text.length, 0)).toBeLessThan(3_000_000);
    expect(writeDraft(store, draftKey("ada", "acme", "d"), large + large, NOW)).toBe(false);
  });

  it("says so when the browser refuses to store", () => {
    const full = {
      ...store,
      length: 0,
      setItem: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
    };
    expect(writeDraft(full, draftKey("ada", "acme", "a"), 1, NOW)).toBe(false);
  });
});
