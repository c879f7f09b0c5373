import { expect, test, vi } from "vitest";
import { addCall, readCalls } from "../features/tools/toolCalls";
import { claimTab, removeLocalData } from "./localData";
import { setSessionUser } from "./session";

function storage(keys: string[] = []) {
  const content = new Map(keys.map((key) => [key, "1"]));
  return {
    content,
    get length() {
      return content.size;
    },
    key: (index: number) => [...content.keys()][index] ?? null,
    getItem: (key: string) => content.get(key) ?? null,
    setItem: (key: string, value: string) => void content.set(key, value),
    removeItem: (key: string) => void content.delete(key),
  };
}

test("a tab keeps its data for the same user and loses them to another one", () => {
  const tab = storage(["parley.tool-calls:left-before-this-rule", "other-program"]);
  claimTab(tab, "ada");
  expect([...tab.content.keys()]).toEqual(["other-program", "parley.user"]);
  tab.setItem("parley.tool-calls:acme:1", "secret");
  claimTab(tab, "ada");
  expect(tab.getItem("parley.tool-calls:acme:1")).toBe("secret");
  claimTab(tab, "bob");
  expect(tab.getItem("parley.tool-calls:acme:1")).toBeNull();
});

test("signing out removes everything but the drafts and views of others", () => {
  const tab = storage(["parley.user", "parley.tool-calls:acme:1"]);
  const others = [
    "parley.draft:bob:acme:ticket/7",
    "parley.run-views.bob.acme",
    "mantine-color-scheme-value",
  ];
  const browser = storage([
    "parley.draft:ada:acme:ticket/7",
    "parley.run-views.ada.acme",
    "parley.conversation-views.ada.acme",
    "parley.organization",
    "parley.first-steps.acme",
    ...others,
  ]);
  removeLocalData(tab, browser, "ada");
  expect(tab.content.size).toBe(0);
  expect([...browser.content.keys()]).toEqual(others);
});

test("the calls of a tool are not shown to the next user of the tab, however the session ended", () => {
  const tab = storage();
  vi.stubGlobal("sessionStorage", tab);
  setSessionUser({ id: "ada" } as never);
  addCall(tab, "acme", 7, { at: "", succeeded: true, durationMs: 1, typed: { iban: "AT61" }, asJson: {} });
  setSessionUser({ id: "ada" } as never);
  expect(readCalls(tab, "acme", 7)).toHaveLength(1);
  setSessionUser({ id: "bob" } as never);
  expect(readCalls(tab, "acme", 7)).toEqual([]);
  setSessionUser(null);
  vi.unstubAllGlobals();
});
