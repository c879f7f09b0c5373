import { at, expect, test } from "./parley";

test("the keys of the canvas work right after an agent was opened from the list", async ({ page, api }) => {
  await api.get("members");
  await page.goto(at("agents?search=Web lookup"));
  await page.getByRole("link", { name: "Web lookup", exact: true }).click();
  await expect(page.getByRole("button", { name: /^Publish/ })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.keyboard.press("/");
  await expect(page.getByRole("dialog", { name: "Find a task" })).toBeVisible();
});

test("undo still works after a look at the versions", async ({ page, api }) => {
  const task = (id: string) => ({
    id,
    kind: "AI",
    name: `Task ${id}`,
    instructions: "Go on.",
    input_parameters: [],
    expected_output: [{ name: "text", type: "STRING", description: "Text" }],
  });
  const { id: agent } = await api.post("workflows?allow_invalid=true", {
    name: "Looking back",
    assignment_rules: [],
    tasks: [task("first"), task("second")],
  });
  await page.goto(at(`agents/${String(agent)}`));
  const node = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  await node("second").focus();
  await page.keyboard.press("Delete");
  await expect(node("second")).toHaveCount(0);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Versions" }).click();
  await expect(page.getByRole("heading", { name: "Versions of Looking back" })).toBeVisible();
  await page.goBack();
  await expect(node("first")).toBeVisible();
  await expect(node("second")).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(node("second")).toBeVisible();
});
