import { expect, test } from "vitest";
import { commands, page, userEvent } from "vitest/browser";
import {
  atRest,
  boxOf,
  centerOf,
  drag,
  edges,
  editor,
  focus,
  handle,
  input,
  nameField,
  node,
  nodes,
  openAgent,
  selected,
  task,
} from "./agentEditor";
import { button, expectAddress, expectCount, expectGone, heading, press } from "./app";

const TWO = { tasks: [task("first"), task("second")], dependencies: [{ from: "first", to: "second" }] };

test("what undo and paste bring back is selected and focused, and C says why tasks can’t be connected", async () => {
  await openAgent(TWO);
  await expect.element(node("second")).toBeVisible();
  focus(node("second"));
  await press("c");
  const first = page.getByRole("option", { name: "Task first" });
  await expect.element(first).toHaveTextContent("Already runs before this task");
  // It can’t be chosen.
  await press("Enter");
  await expect.element(first).toBeVisible();
  await press("Escape");
  await expectGone(first);

  focus(node("second"));
  await press("Delete");
  await expectGone(node("second"));
  await press("Control+z");
  await expect.element(node("second")).toHaveFocus();
  await expect.element(selected).toHaveAttribute("data-id", "second");
  await press("Control+d");
  await expect.element(node("second_2")).toHaveFocus();
  await expect.element(selected).toHaveAttribute("data-id", "second_2");
  await press("Control+z");
  await expectGone(node("second_2"));
  await press("Control+Shift+z");
  await expect.element(node("second_2")).toHaveFocus();
});

test("a task dragged from the toolbar goes where it is dropped, on a connection between its tasks", async () => {
  await openAgent(TWO);
  await expectCount(edges, 1);
  const canvas = page.css(".react-flow");
  const area = boxOf(canvas);
  const drop = (name: string, [x, y]: [number, number]) => {
    const { left, top } = boxOf(canvas);
    return userEvent.dragAndDrop(button(name), canvas, { targetPosition: { x: x - left, y: y - top } });
  };
  await drop("Add Coder task", [area.x + 300, area.bottom - 150]);
  await expect.element(nameField).toHaveFocus();
  expect(Math.abs(centerOf(node("coder"))[0] - (area.x + 300))).toBeLessThan(3);
  await expectCount(edges, 1);
  await press("Escape");
  await expect.element(node("coder")).toHaveFocus();
  await press("Control+z");
  await expectCount(nodes, 2);

  const edge = page.css(".react-flow__edge-interaction");
  await atRest(edge);
  await drop("Add Human task", centerOf(edge));
  await expectCount(edges, 2);
  // The new task and both neighbors are in view.
  await expect
    .poll(() =>
      ["first", "human", "second"]
        .map((id) => boxOf(node(id)))
        .every((box) => box.left >= area.left && box.right <= area.right),
    )
    .toBe(true);
});

test("nothing that undo removes stays selected, and a box selects tasks but no text", async () => {
  await openAgent({ tasks: [...TWO.tasks, task("third")], dependencies: TWO.dependencies });
  await button("Add AI task").click();
  await expectAddress(/task=ai/);
  await expect.element(nameField).toHaveFocus();
  await press("Escape");
  await expect.element(node("ai")).toHaveFocus();
  await press("Control+z");
  await expectGone(node("ai"));
  await expectAddress(editor);
  await node("second").click();
  await expectCount(selected, 1);
  await expectAddress(/task=second/);

  // The browser would select the texts between this click and the box.
  await page.css("label").filter({ hasText: "Instructions" }).click();
  await press("Escape");
  await expect.element(node("second")).toHaveFocus();
  await atRest(node("first"));
  const { x, y } = boxOf(node("first"));
  const last = boxOf(node("third"));
  await userEvent.keyboard("{Shift>}");
  await commands.mouse([[x - 5, y - 20], "down", [last.x + 40, last.y + 40], "up"]);
  await userEvent.keyboard("{/Shift}");
  await expectCount(selected, 3);
  await expect.element(heading("3 items selected")).toBeVisible();
  expect(String(window.getSelection())).toBe("");
  const toolbar = page.getByRole("toolbar", { name: "Selection" });
  await toolbar.getByRole("button", { name: "Duplicate" }).click();
  await expectCount(nodes, 6);
  await expectCount(selected, 3);
  await toolbar.getByRole("button", { name: "Delete" }).click();
  await expectCount(nodes, 3);
  await press("Escape");
  await expectGone(selected);
  await expectGone(page.css(".react-flow__nodesselection"));
});

test("an output dropped on a connected input replaces the connection, and the condition belongs to its target", async () => {
  await openAgent(
    {
      tasks: [...TWO.tasks, task("third", { input_parameters: [input("text")] })],
      connections: [{ from: { task: "first", output: "text" }, to: { task: "third", input: "text" } }],
    },
    { query: "?task=third" },
  );
  await expect.element(page.getByText("An output of “Task first”")).toBeVisible();
  await expect.element(handle("second", "out:text")).toBeVisible();
  await drag(handle("second", "out:text"), handle("third", "in:text"));
  await expect.element(page.getByText("An output of “Task second”")).toBeVisible();
  await expectCount(edges, 1);

  await node("first").click();
  await atRest(page.css(".react-flow__edge-interaction"));
  const edge = boxOf(page.css(".react-flow__edge-interaction"));
  await commands.mouse([[edge.x + edge.width / 2, edge.bottom]]);
  await button("Add condition").click();
  await expectAddress(/task=third/);
  await expect.element(page.getByLabelText("Run only if")).toHaveFocus();
});

test("undoing “Tidy up” restores the view", async () => {
  await openAgent(TWO);
  await expect.element(node("second")).toBeVisible();
  focus(node("second"));
  await press("Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown");
  const pane = page.css(".react-flow__pane");
  await userEvent.wheel(pane, { delta: { x: 120, y: 90 } });
  const style = () => page.css(".react-flow__viewport").element().getAttribute("style");
  await button("Tidy up").hover();
  const before = style();
  await button("Tidy up").click();
  await expect.poll(style).not.toBe(before);
  await press("Control+z");
  await expect.poll(style).toBe(before);
});
