import type { Locator } from "@playwright/test";
import { countClicks } from "./countClicks";
import { at, expect, service, test } from "./parley";

test(
  "an agent with a branch is built and published by keyboard alone",
  { tag: "@gate" },
  async ({ page, api }) => {
    await api.post("code-artifacts", {
      name: "Word count",
      language: "javascript",
      source: "export default ({ text }) => ({ words: text.split(' ').length });",
      inputs: [{ name: "text", type: "STRING", description: "A text" }],
      outputs: [{ name: "words", type: "INTEGER", description: "The number of words" }],
    });
    const { id } = await api.post("workflows?allow_invalid=true", {
      name: "By keyboard",
      assignment_rules: [{ rule_type: "Human Feedback", assignment_type: "User", assignee_id: service.user }],
      tasks: [],
    });
    const clicks = await countClicks(page);
    await page.goto(at(`agents/${String(id)}`));
    await expect(page.getByText("Add the first task")).toBeVisible();
    const { keyboard } = page;
    const side = page.getByRole("complementary", { name: "Properties" });
    const name = side.getByRole("textbox", { name: "Name", exact: true });
    const node = (task: string) => page.locator(`.react-flow__node[data-id="${task}"]`);
    const dialog = page.getByRole("dialog");
    const marked = page.locator("[data-combobox-selected]");
    const find = async (key: string, text: string) => {
      await keyboard.press(key);
      await expect(dialog.getByRole("combobox")).toBeFocused();
      await keyboard.type(text);
      await keyboard.press("Enter");
    };
    /** Chooses the first match. Enter is ignored until the list has settled after typing. */
    const choose = async (option: string | RegExp, box: Locator, value: string) => {
      await expect(marked).toHaveText(option);
      await expect(async () => {
        await keyboard.press("Enter");
        await expect(box).toHaveValue(value, { timeout: 10_000 });
      }).toPass();
    };
    /** The name of a new task is replaced by typing. */
    const write = async (text: string, instructions: string) => {
      await expect(name).toBeFocused();
      await keyboard.type(text);
      await expect(name).toHaveValue(text);
      await keyboard.press("Tab");
      await keyboard.press("Tab");
      await keyboard.type(instructions);
    };
    await find("a", "AI");
    await write("Draft", "Write a reply.");
    await keyboard.press("Escape");
    await expect(node("ai")).toBeFocused();

    await find("a", "Human");
    await write("Check", "Is the draft friendly?");
    const output = side.getByLabel("Name of output 1");
    await output.focus();
    await keyboard.press("ControlOrMeta+a");
    await keyboard.type("approved");
    await keyboard.press("Tab");
    await keyboard.type("bool");
    await choose("BOOLEAN", side.getByRole("combobox", { name: "Type of output 1" }), "BOOLEAN");
    await keyboard.press("Escape");
    await expect(node("human")).toBeFocused();

    // A task found by a search: code with an input, which is connected in the same way.
    await find("a", "Word count");
    await write("Count", "Count the words.");
    const source = side.getByRole("combobox", { name: "Source" });
    await source.focus();
    await keyboard.type("draft");
    await choose(/^result/, source, "result (STRING)");
    await expect(side.getByText("An output of “Draft”")).toBeVisible();
    // Tab after the last field goes on at the node.
    await side.getByRole("button", { name: "Run this task" }).focus();
    await keyboard.press("Tab");
    await expect(node("coder")).toBeFocused();

    await find("a", "HTTP request");
    await write("Send", "Send the reply.");
    await side.getByRole("textbox", { name: "URL" }).focus();
    await keyboard.type("https://example.com/");
    await keyboard.press("Escape");
    await expect(node("app")).toBeFocused();

    // The branch: C connects the focused task, and the choice sets the condition.
    await node("human").focus();
    await find("c", "send only if approved");
    await expect(node("human")).toBeFocused();
    await expect(node("app").getByTitle("Runs only if tasks.human.approved")).toBeVisible();
    await keyboard.press("Shift+F10");
    await expect(page.getByRole("menuitem", { name: "Connect to another task" })).toBeVisible();
    await keyboard.press("Escape");
    await keyboard.press("?");
    await expect(dialog).toContainText("Connect the focused or the selected task to another one");
    await keyboard.press("Escape");

    await expect(page.getByText("Ready to publish.")).toBeVisible();
    await page.getByRole("button", { name: /^Publish/ }).focus();
    await keyboard.press("Enter");
    await expect(dialog.getByLabel("Note")).toBeFocused();
    await keyboard.press("Tab");
    await keyboard.press("Tab");
    await keyboard.press("Enter");
    await expect(page.getByText("Published as version 1. No changes.")).toBeVisible();
    expect(clicks()).toBe(0);
  },
);
