import { IconRobot } from "@tabler/icons-react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { SearchDialog, type SearchItem } from "../../src/components/SearchDialog";
import {
  at,
  dialog,
  expectAddress,
  expectCount,
  expectGone,
  heading,
  open,
  press,
  render,
  type,
} from "./app";

const item = (label: string, more: Partial<SearchItem> = {}): SearchItem =>
  ({ key: label, icon: IconRobot, group: "Agents", label, onChoose: () => {}, ...more }) as SearchItem;

test("a search dialog chooses the first match by Enter, but nothing that is disabled", async () => {
  const chosen: string[] = [];
  const choice = (label: string, more: Partial<SearchItem> = {}) =>
    item(label, { onChoose: () => chosen.push(label), ...more });
  const items = [
    choice("Invoice approval"),
    choice("Travel request", { description: "Already runs before this task", disabled: true }),
    choice("Meeting minutes"),
  ];
  render(<SearchDialog title="Find" label="Name" opened items={items} onClose={() => {}} />);
  const field = dialog("Find").getByRole("combobox", { name: "Name" });
  await expect.element(field).toHaveFocus();
  await type("meet");
  await expect.element(page.getByRole("option", { selected: true })).toHaveAccessibleName(/^Meeting minutes/);
  await press("Enter");
  expect(chosen).toEqual(["Meeting minutes"]);
  await field.fill("travel");
  await press("Enter");
  expect(chosen).toEqual(["Meeting minutes"]);
  // Typing errors are forgiven.
  await field.fill("invoce aproval");
  await press("Enter");
  expect(chosen).toEqual(["Meeting minutes", "Invoice approval"]);
  await field.fill("");
  await press("ArrowDown");
  // Arrow up on the first option selects the last one.
  await field.fill("e");
  await press("ArrowUp");
  await expect.element(page.getByRole("option").last()).toHaveAttribute("aria-selected", "true");
  await field.fill("zzzz");
  await expect.element(page.getByText("No results for “zzzz”.")).toBeVisible();
});

const palette = () => dialog("Search or run a command");
const search = async (text: string, option: RegExp) => {
  await press("Control+k");
  await palette().getByRole("combobox").fill(text);
  await expect.element(palette().getByRole("option", { selected: true })).toHaveAccessibleName(option);
  await press("Enter");
  await expectGone(palette());
};

test("Ctrl+K finds pages and actions, and lists what was visited first", async () => {
  await open(at("emails"));
  await expect.element(heading("Emails")).toBeVisible();
  await search("new agent", /^New agent/);
  await expect.element(dialog("New agent")).toBeVisible();
  await press("Escape");
  await expectGone(dialog());
  await search("tems", /^Teams/);
  await expectAddress(at("teams"));
  await search("go to emails", /^Emails/);
  await expectAddress(at("emails"));
  await search("overdue", /^Overdue tickets/);
  await expectAddress(at("tickets?assignee=all&overdue=true&sort=due"));
  await search("theme dark", /dark/i);
  await expect.poll(() => document.documentElement.dataset.mantineColorScheme).toBe("dark");
  await search("theme light", /light/i);
  await search("shortcuts", /^Keyboard shortcuts/);
  await expect.element(dialog("Keyboard shortcuts")).toBeVisible();
});

test("closing the command palette returns the focus, and G goes to pages", async () => {
  await open(at("emails"));
  const field = page.getByRole("searchbox", { name: "Search" });
  await expect.element(heading("Emails")).toBeVisible();
  await open(at("emails?search=x"));
  await field.click();
  await press("Control+k");
  await expect.element(page.getByRole("combobox", { name: "Name, number, text or command" })).toHaveFocus();
  await press("Escape");
  await expectGone(dialog());
  await expect.element(field).toHaveFocus();
  // In a field, they are letters.
  await field.fill("");
  await type("gt");
  await expect.element(field).toHaveValue("gt");
  await page.getByRole("heading", { level: 1 }).click();
  await press("g", "t");
  await expect.element(heading("Tickets")).toBeVisible();
});

test("keys that are pressed before the palette has the focus are part of the text", async () => {
  await open(at("teams"));
  await expect.element(heading("Teams")).toBeVisible();
  const send = (key: string, ctrlKey = false) =>
    (document.activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent("keydown", {
        key,
        code: `Key${key.toUpperCase()}`,
        ctrlKey,
        bubbles: true,
        cancelable: true,
      }),
    );
  send("k", true);
  // Until React has rendered.
  await new Promise((done) => requestAnimationFrame(done));
  ["?", "t", "e", "a", "m"].forEach((key) => send(key));
  await expect.element(palette().getByRole("combobox")).toHaveValue("?team");
  await expectCount(dialog(), 1);
});
