import { at, expect, picture, test, type Api } from "./parley";

const task = (id: string) => ({
  id,
  kind: "AI",
  name: `Task ${id}`,
  instructions: "Go on.",
  input_parameters: [],
  expected_output: [{ name: "text", type: "STRING", description: "Text" }],
});

/** Creates an agent with a second task after the first, and returns its ID. */
async function twoTasks(api: Api, name: string): Promise<string> {
  const { id } = await api.post("workflows?allow_invalid=true", {
    name,
    assignment_rules: [],
    tasks: [task("first"), task("second")],
    connections: [],
    dependencies: [{ from: "first", to: "second" }],
  });
  return String(id);
}

test("what undo and paste bring back is selected and focused, and C says why tasks can’t be connected", async ({
  page,
  api,
}) => {
  const agent = await twoTasks(api, "Bringing back");
  await page.goto(at(`agents/${agent}`));
  const node = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  const selected = page.locator(".react-flow__node-task.selected");
  await node("second").focus();
  await page.keyboard.press("c");
  await expect(page.getByRole("option", { name: "Task first" })).toContainText(
    "Already runs before this task",
  );
  // It can’t be chosen.
  await page.keyboard.press("Enter");
  await expect(page.getByRole("option", { name: "Task first" })).toBeVisible();
  await page.keyboard.press("Escape");

  await node("second").focus();
  await page.keyboard.press("Delete");
  await expect(node("second")).toHaveCount(0);
  await page.keyboard.press("Control+z");
  await expect(node("second")).toBeFocused();
  await expect(selected).toHaveAttribute("data-id", "second");
  await page.keyboard.press("Control+d");
  await expect(node("second_2")).toBeFocused();
  await expect(selected).toHaveAttribute("data-id", "second_2");
  await page.keyboard.press("Control+z");
  await expect(node("second_2")).toHaveCount(0);
  await page.keyboard.press("Control+Shift+z");
  await expect(node("second_2")).toBeFocused();
});

test("a task dragged from the toolbar goes where it is dropped, on a connection between its tasks", async ({
  page,
  api,
}) => {
  const agent = await twoTasks(api, "Dragging from the toolbar");
  await page.goto(at(`agents/${agent}`));
  const edges = page.locator(".react-flow__edge");
  const canvas = page.locator(".react-flow");
  const area = (await canvas.boundingBox())!;
  await page.getByRole("button", { name: "Add Coder task" }).dragTo(canvas, {
    targetPosition: { x: 300, y: area.height - 150 },
  });
  const coder = (await page.locator('.react-flow__node[data-id="coder"]').boundingBox())!;
  expect(Math.abs(coder.x + coder.width / 2 - (area.x + 300))).toBeLessThan(3);
  await expect(edges).toHaveCount(1);
  await expect(
    page.getByRole("complementary", { name: "Properties" }).getByLabel("Name").first(),
  ).toBeFocused();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await expect(page.locator(".react-flow__node-task")).toHaveCount(2);

  const edge = (await edges.locator(".react-flow__edge-interaction").boundingBox())!;
  await page.getByRole("button", { name: "Add Human task" }).dragTo(canvas, {
    targetPosition: {
      x: edge.x + edge.width / 2 - area.x,
      y: edge.y + edge.height / 2 - area.y,
    },
  });
  await expect(edges).toHaveCount(2);
  // The new task and both neighbors are in view.
  await expect(async () => {
    for (const id of ["first", "human", "second"]) {
      const box = (await page.locator(`.react-flow__node[data-id="${id}"]`).boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(area.x);
      expect(box.x + box.width).toBeLessThanOrEqual(area.x + area.width);
    }
  }).toPass();
});

const input = (name: string) => ({
  name,
  type: "STRING",
  description: name,
  required: true,
  source: "system_generated",
});

test("nothing that undo removes stays selected, and a box selects tasks but no text", async ({
  page,
  api,
}) => {
  const created = await api.post("workflows?allow_invalid=true", {
    name: "Selecting",
    assignment_rules: [],
    tasks: [task("first"), task("second"), task("third")],
    connections: [],
    dependencies: [{ from: "first", to: "second" }],
  });
  await page.goto(at(`agents/${String(created.id)}`));
  const node = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  const selected = page.locator(".react-flow__node-task.selected");
  await page.getByRole("button", { name: "Add AI task" }).click();
  await expect(page).toHaveURL(/task=ai/);
  await expect(
    page.getByRole("complementary", { name: "Properties" }).getByLabel("Name").first(),
  ).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(node("ai")).toBeFocused();
  await page.keyboard.press("Control+z");
  await expect(node("ai")).toHaveCount(0);
  await expect(page).not.toHaveURL(/task=/);
  await node("second").click();
  await expect(selected).toHaveCount(1);
  await expect(page).toHaveURL(/task=second/);

  // The browser would select the texts between this click and the box.
  await page.getByText("Instructions").click();
  await page.keyboard.press("Escape");
  const { x, y } = (await node("first").boundingBox())!;
  const last = (await node("third").boundingBox())!;
  await page.keyboard.down("Shift");
  await page.mouse.move(x - 5, y - 20);
  await page.mouse.down();
  await page.mouse.move(last.x + 40, last.y + 40, { steps: 10 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await expect(selected).toHaveCount(3);
  await expect(page.getByRole("heading", { name: "3 items selected" })).toBeVisible();
  expect(await page.evaluate(() => String(window.getSelection()))).toBe("");
  await picture(page, "agent-selection", ["light", "dark"]);
  await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: "Duplicate" }).click();
  await expect(page.locator(".react-flow__node-task")).toHaveCount(6);
  await expect(selected).toHaveCount(3);
  await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: "Delete" }).click();
  await expect(page.locator(".react-flow__node-task")).toHaveCount(3);
  await page.keyboard.press("Escape");
  await expect(selected).toHaveCount(0);
  await expect(page.locator(".react-flow__nodesselection")).toHaveCount(0);
});

test("an output dropped on a connected input replaces the connection, and the condition belongs to its target", async ({
  page,
  api,
}) => {
  const created = await api.post("workflows?allow_invalid=true", {
    name: "Replacing",
    assignment_rules: [],
    tasks: [task("first"), task("second"), { ...task("third"), input_parameters: [input("text")] }],
    connections: [{ from: { task: "first", output: "text" }, to: { task: "third", input: "text" } }],
  });
  await page.goto(at(`agents/${String(created.id)}?task=third`));
  const point = (id: string, handle: string) =>
    page.locator(`.react-flow__node[data-id="${id}"] .react-flow__handle[data-handleid="${handle}"]`);
  await expect(page.getByText("An output of “Task first”")).toBeVisible();
  await point("second", "out:text").dragTo(point("third", "in:text"));
  await expect(page.getByText("An output of “Task second”")).toBeVisible();
  await expect(page.locator(".react-flow__edge")).toHaveCount(1);

  await page.locator('.react-flow__node[data-id="first"]').click();
  const edge = (await page.locator(".react-flow__edge-interaction").boundingBox())!;
  await page.mouse.move(edge.x + edge.width / 2, edge.y + edge.height);
  await page.getByRole("button", { name: "Add condition" }).click();
  await expect(page).toHaveURL(/task=third/);
  await expect(page.getByLabel("Run only if")).toBeFocused();
});

test("undoing “Tidy up” restores the view", async ({ page, api }) => {
  const agent = await twoTasks(api, "Tidying");
  await page.goto(at(`agents/${agent}`));
  const second = page.locator('.react-flow__node[data-id="second"]');
  await second.focus();
  for (let press = 0; press < 4; press++) {
    await page.keyboard.press("Shift+ArrowDown");
  }
  await page.locator(".react-flow__pane").hover({ position: { x: 300, y: 500 } });
  await page.mouse.wheel(120, 90);
  const viewport = page.locator(".react-flow__viewport");
  await page.getByRole("button", { name: "Tidy up" }).hover();
  const before = (await viewport.getAttribute("style"))!;
  await page.getByRole("button", { name: "Tidy up" }).click();
  await expect(viewport).not.toHaveAttribute("style", before);
  await page.keyboard.press("Control+z");
  await expect(viewport).toHaveAttribute("style", before);
});

test("undo still works after a look at the versions", async ({ page, api }) => {
  const agent = await twoTasks(api, "Looking back");
  await page.goto(at(`agents/${agent}`));
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
