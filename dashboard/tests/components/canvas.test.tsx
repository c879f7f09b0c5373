import { afterEach, expect, test } from "vitest";
import { commands, page } from "vitest/browser";
import {
  boxOf,
  centerOf,
  drag,
  edges,
  focus,
  handle,
  nameField,
  node,
  nodes,
  openAgent,
  palette,
  selected,
  side,
  task,
} from "./agentEditor";
import { button, dialog, expectCount, expectGone, press, type } from "./app";

afterEach(() => page.viewport(1280, 800));

/** Adds a task by the palette. */
async function add(kind: string) {
  await press("a");
  await expect.element(palette).toHaveFocus();
  await type(kind);
  await press("Enter");
}

const transform = (selector: string) => document.querySelector<HTMLElement>(selector)!.style.transform;

test("tasks and notes are added, moved and connected, and every edit can be undone", async () => {
  const saved = await openAgent(
    {},
    {
      violations: ({ tasks }) =>
        (tasks as { name: string; instructions: string }[]).flatMap(({ name, instructions }, index) =>
          instructions === ""
            ? [
                {
                  path: `/tasks/${index}/instructions`,
                  error: "Missing Required Field",
                  detail: `${name} needs instructions.`,
                },
              ]
            : [],
        ),
    },
  );
  await expect.element(page.getByText("Add the first task")).toBeVisible();

  // The form of a new task has the focus, and shows no issues yet.
  await button("Add AI task").click();
  await expect.element(nameField).toHaveFocus();
  await expect.element(page.getByText(/to fix before publishing/)).toBeVisible();
  await expectGone(side.css("[aria-invalid=true]"));
  await press("Escape");
  await expect.element(node("ai")).toHaveFocus();
  const placed = () => transform('.react-flow__node[data-id="ai"]');
  const before = placed();
  await press("ArrowRight", "ArrowRight");
  await expect.poll(placed).not.toBe(before);
  await press("Control+z");
  await expect.poll(placed).toBe(before);
  await press("Enter");
  await expect.element(nameField).toHaveFocus();
  await press("Escape");

  // Without a selected task, a new one is not connected.
  await page.css(".react-flow__pane").click({ position: { x: 60, y: 500 } });
  await add("human");
  await expect.element(nameField).toHaveValue("Human task");
  await expect.element(nameField).toHaveFocus();
  await press("Escape");

  // An output dropped on a task becomes an input with a connection; a task is inserted on it.
  await drag(handle("ai", "out:result"), node("human"), "top");
  await expectCount(edges, 1);
  focus(edges);
  await press("Shift+F10");
  await page.getByRole("menuitem", { name: "Insert a task here" }).click();
  await expect.element(palette).toHaveFocus();
  await type("coder");
  await press("Enter");
  await expect.element(nameField).toHaveValue("Coder task");
  await expectCount(edges, 2);
  await press("Escape");
  await expect
    .element(edges.first())
    .toHaveAccessibleName("Connection from result of AI task to result of Coder task");

  // Copies keep the connections between them.
  await node("ai").click();
  await expect.element(nameField).toHaveValue("AI task");
  await node("coder").click({ modifiers: ["Shift"] });
  await expect.element(side.getByText("2 items selected")).toBeVisible();
  await press("Control+d");
  await expectCount(nodes, 5);
  await expectCount(edges, 3);
  await press("Delete");
  await expectCount(nodes, 3);
  await press("Control+z");
  await expectCount(nodes, 5);
  await press("Control+z");
  await expectCount(nodes, 3);

  // The issues are folded until someone wants them; an issue leads to its field.
  await button(/to fix before publishing/).click();
  await page
    .getByRole("region", { name: "Issues" })
    .getByRole("button", { name: "Human task" })
    .first()
    .click();
  await expect.element(side.getByLabelText("Instructions")).toHaveFocus();
  await press("Escape");

  await press("n");
  await expect.element(page.getByRole("textbox", { name: "Text of the note" })).toHaveFocus();
  await type("Ask finance first");
  await expect.poll(() => saved.canvas.notes.map(({ text }) => text)).toEqual(["Ask finance first"]);
  await expect.poll(() => saved.document.tasks).toHaveLength(3);
  await press("Escape", "?");
  await expect.element(dialog("Keyboard shortcuts")).toHaveTextContent("Find a task");
});

const TWO = { tasks: [task("first"), task("second")], dependencies: [{ from: "first", to: "second" }] };

test("A adds a task after the focused one, and one undo removes it", async () => {
  await openAgent(TWO);
  // The focused task counts, not the selected one; a Human task gets its value, a Coder task only comes after it.
  await node("second").click();
  await expect.element(nameField).toHaveValue("Task second");
  focus(node("first"));
  await add("human");
  await expect.element(nameField).toHaveFocus();
  await expect.element(selected).toHaveAttribute("data-id", "human");
  await expect
    .element(page.getByLabelText("Connection from text of Task first to text of Human task"))
    .toBeInTheDocument();
  const [first, second, human] = ["first", "second", "human"].map((id) => boxOf(node(id)));
  expect(human!.left).toBeGreaterThanOrEqual(first!.right);
  expect(human!.top >= second!.bottom || human!.left >= second!.right).toBe(true);
  await press("Escape");
  await expect.element(node("human")).toHaveFocus();
  await add("coder");
  await expectCount(nodes, 4);
  await expectCount(edges, 3);
  await expect.element(nameField).toHaveFocus();
  await press("Escape");
  await expect.element(node("coder")).toHaveFocus();
  await press("Control+z");
  await expectCount(nodes, 3);
  await press("Control+z");
  await expectCount(nodes, 2);
  await expectCount(edges, 1);
});

const frames = async (count: number) => {
  for (let frame = 0; frame < count; frame++) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await new Promise((done) => requestAnimationFrame(done));
  }
};

test("the canvas stays where it is while a connection is dragged near its border, and moves at the border", async () => {
  await openAgent({ tasks: TWO.tasks });
  await expect.element(node("second")).toBeVisible();
  const placed = () => transform(".react-flow__viewport");
  // The view is fitted to the tasks.
  await expect
    .poll(async () => {
      const earlier = placed();
      await frames(10);
      return placed() === earlier;
    })
    .toBe(true);
  const canvas = boxOf(page.css(".react-flow"));
  const before = placed();
  await commands.mouse([centerOf(handle("first", "out:text")), "down"]);
  for (const point of [
    [canvas.x + 12, canvas.y + 200],
    [canvas.x + 200, canvas.y + 12],
    [canvas.right - 12, canvas.y + 200],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one mouse
    await commands.mouse([point]);
    await frames(10);
    expect(placed()).toBe(before);
    // oxlint-enable no-await-in-loop
  }
  await commands.mouse([centerOf(node("second")), "up"]);
  await expectCount(edges, 1);
  expect(placed()).toBe(before);
  await commands.mouse([centerOf(handle("first", "out:text")), "down", [canvas.right - 1, canvas.y + 200]]);
  await expect.poll(placed).not.toBe(before);
  await press("Escape");
  await commands.mouse(["up"]);
});

const TEN = Array.from({ length: 10 }, (_, index) => task(`task_${index}`));

test.each([
  [1280, 900],
  [390, 844],
])(
  "ten tasks in a row are shown whole, and readable without zooming, at %i × %i px",
  async (width, height) => {
    await page.viewport(width, height);
    const dependencies = TEN.slice(1).map(({ id }, index) => ({ from: `task_${index}`, to: id }));
    await openAgent({ tasks: TEN, dependencies });
    await expectCount(nodes, 10);
    // They are above the controls of a phone.
    const bottom = () => (width < 400 ? boxOf(page.getByLabelText("Control Panel")).top : window.innerHeight);
    await expect
      .poll(() =>
        TEN.map(({ id }) => boxOf(node(id))).every(
          (box) => box.left >= 0 && box.top >= 0 && box.right <= window.innerWidth && box.bottom <= bottom(),
        ),
      )
      .toBe(true);
    if (width > 400) {
      const { a: scale } = new DOMMatrix(
        getComputedStyle(document.querySelector(".react-flow__viewport")!).transform,
      );
      expect(scale * 13).toBeGreaterThanOrEqual(11);
    }
  },
);

test.each([
  [1280, 800],
  [1920, 1080],
  [390, 844],
])(
  "no connection passes behind a task, and those of one output end apart, at %i × %i px",
  async (width, height) => {
    await page.viewport(width, height);
    const parameter = (name: string) => ({ name, type: "STRING", description: name });
    const sources: Record<string, string[]> = {
      classify: [],
      answer: ["classify"],
      escalate: ["classify", "answer"],
      close: ["classify", "answer", "escalate"],
      report: ["classify", "close"],
    };
    const tasks = Object.entries(sources).map(([id, before]) =>
      task(id, {
        // The second name takes two lines.
        name: id === "answer" ? "Answer the message of the customer" : id,
        input_parameters: before.map((from) => ({
          ...parameter(from),
          required: true,
          source: "system_generated",
        })),
        expected_output: [parameter("result")],
      }),
    );
    const connections = Object.entries(sources).flatMap(([id, before]) =>
      before.map((from) => ({ from: { task: from, output: "result" }, to: { task: id, input: from } })),
    );
    await openAgent({ tasks, connections });
    await expectCount(edges, connections.length);
    const lines = () => {
      const boxes = nodes.elements().map((each) => each.getBoundingClientRect());
      return [...document.querySelectorAll<SVGPathElement>(".react-flow__edge-path")].map((path) => {
        const length = path.getTotalLength();
        // Without the ends at the ports, which edges of one output share.
        const points = Array.from({ length: 101 }, (_, index) =>
          path.getPointAtLength(20 + ((length - 40) * index) / 100).matrixTransform(path.getScreenCTM()!),
        );
        const isBehind = points.some(({ x, y }) =>
          boxes.some((box) => x > box.left + 1 && x < box.right - 1 && y > box.top + 1 && y < box.bottom - 1),
        );
        return { points, isBehind };
      });
    };
    await expect.poll(() => lines().map(({ isBehind }) => isBehind)).not.toContain(true);
    // The second half of each connection is a line of its own.
    const halves = lines().map(({ points }) => points.slice(50));
    for (const [index, one] of halves.entries()) {
      for (const other of halves.slice(index + 1)) {
        const shared = one.filter((a) => other.some((b) => Math.hypot(a.x - b.x, a.y - b.y) < 1));
        expect(shared.length).toBeLessThan(10);
      }
    }
  },
);
