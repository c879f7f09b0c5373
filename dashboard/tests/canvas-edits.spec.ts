import { at, expect, test } from "./parley";

const task = (id: string) => ({
  id,
  kind: "AI",
  name: `Task ${id}`,
  instructions: "Go on.",
  input_parameters: [],
  expected_output: [{ name: "text", type: "STRING", description: "Text" }],
});

test("what undo and paste bring back is selected and focused, and C says why tasks can’t be connected", async ({
  page,
  api,
}) => {
  const created = await api.post("workflows?allow_invalid=true", {
    name: "Bringing back",
    assignment_rules: [],
    tasks: [task("first"), task("second")],
    connections: [],
    dependencies: [{ from: "first", to: "second" }],
  });
  await page.goto(at(`agents/${String(created.id)}`));
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
  const created = await api.post("workflows?allow_invalid=true", {
    name: "Dragging from the toolbar",
    assignment_rules: [],
    tasks: [task("first"), task("second")],
    connections: [],
    dependencies: [{ from: "first", to: "second" }],
  });
  await page.goto(at(`agents/${String(created.id)}`));
  const edges = page.locator(".react-flow__edge");
  const canvas = page.locator(".react-flow");
  const area = (await canvas.boundingBox())!;
  await page.getByRole("button", { name: "Add Coder task" }).dragTo(canvas, {
    targetPosition: { x: 300, y: area.height - 150 },
  });
  const coder = (await page.locator('.react-flow__node[data-id="coder"]').boundingBox())!;
  expect(Math.abs(coder.x + coder.width / 2 - (area.x + 300))).toBeLessThan(3);
  await expect(edges).toHaveCount(1);
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
