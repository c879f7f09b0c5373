import { at, expect, expectDraftSaved, expectAccessible, test } from "./parley";

test("the graph is edited by keyboard, clipboard and dropped connections, and every edit can be undone", async ({
  page,
  api,
}) => {
  const created = await api.post("workflows?allow_invalid=true", {
    name: "Canvas",
    assignment_rules: [],
    tasks: [],
  });
  const id = String(created.id);
  await page.goto(at(`agents/${id}`));
  const side = page.getByRole("complementary", { name: "Properties" });
  const name = side.getByRole("textbox", { name: "Name", exact: true });
  const node = (task: string) => page.locator(`.react-flow__node[data-id="${task}"]`);
  const nodes = page.locator(".react-flow__node-task");
  const edges = page.locator(".react-flow__edge");
  await expect(page.getByText("Add the first task")).toBeVisible();

  // The form of a new task has the focus, and shows no issues yet.
  await page.getByRole("button", { name: "Add AI task" }).click();
  await expect(name).toBeFocused();
  await expect(page.getByText(/to fix before publishing/)).toBeVisible();
  await expect(side.locator("[aria-invalid=true]")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(node("ai")).toBeFocused();
  const placed = () => node("ai").evaluate((each: HTMLElement) => each.style.transform);
  const before = await placed();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect.poll(placed).not.toBe(before);
  await page.keyboard.press("Control+z");
  await expect.poll(placed).toBe(before);
  await page.keyboard.press("Enter");
  await expect(name).toBeFocused();
  await page.keyboard.press("Escape");

  // The palette finds kinds, tools and code. Without a selected task, a new one is not connected.
  await page.locator(".react-flow__pane").click({ position: { x: 60, y: 500 } });
  await page.keyboard.press("a");
  const palette = page.getByRole("combobox", { name: "Search kinds, tools and code" });
  await expect(palette).toBeFocused();
  await page.keyboard.type("human");
  await page.keyboard.press("Enter");
  await expect(name).toHaveValue("Human task");
  await expect(name).toBeFocused();
  await page.keyboard.press("Escape");

  // An output dropped on a task becomes an input with a connection; a task is inserted on it.
  const from = (await node("ai").locator('[data-handleid="out:result"]').boundingBox())!;
  const to = (await node("human").boundingBox())!;
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + 20, { steps: 8 });
  await page.mouse.up();
  await expect(edges).toHaveCount(1);
  await edges.first().focus();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Insert a task here" }).click();
  await expect(palette).toBeFocused();
  await page.keyboard.type("coder");
  await page.keyboard.press("Enter");
  await expect(name).toHaveValue("Coder task");
  await expect(name).toBeFocused();
  await expect(edges).toHaveCount(2);
  await page.keyboard.press("Escape");

  // Tab passes the tasks first, then the connections, whose names have both tasks.
  await expect(nodes.last()).toBeFocused();
  // The graph may be drawn again meanwhile, because the draft is saved.
  await expect(async () => {
    await nodes.last().focus();
    await page.keyboard.press("Tab");
    await expect(edges.first()).toBeFocused({ timeout: 500 });
  }).toPass();
  await expect(edges.first()).toHaveAccessibleName(
    "Connection from result of AI task to result of Coder task",
  );

  // Copies keep the connections between them.
  await node("ai").click();
  await expect(name).toHaveValue("AI task");
  await node("coder").click({ modifiers: ["Shift"] });
  await expect(side.getByText("2 items selected")).toBeVisible();
  await page.keyboard.press("Control+d");
  await expect(nodes).toHaveCount(5);
  await expect(edges).toHaveCount(3);
  await page.keyboard.press("Delete");
  await expect(nodes).toHaveCount(3);
  await page.keyboard.press("Control+z");
  await expect(nodes).toHaveCount(5);
  await page.keyboard.press("Control+z");
  await expect(nodes).toHaveCount(3);

  // The issues are folded until someone wants them; an issue leads to its field.
  await page.getByRole("button", { name: /to fix before publishing/ }).click();
  await page
    .getByRole("region", { name: "Issues" })
    .getByRole("button", { name: "Human task" })
    .first()
    .click();
  await expect(side.getByLabel("Instructions")).toBeFocused();
  await page.keyboard.press("Escape");

  await page.keyboard.press("n");
  await expect(page.getByRole("textbox", { name: "Text of the note" })).toBeFocused();
  await page.keyboard.type("Ask finance first");
  const notes = async () => (await api.get(`workflows/${id}/positions`)).notes as { text: string }[];
  await expect.poll(async () => (await notes()).map((note) => note.text)).toEqual(["Ask finance first"]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText("Find a task");
  await page.keyboard.press("Escape");
  await expectDraftSaved(page);
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Text of the note" })).toHaveValue("Ask finance first");
  await expectAccessible(page);
});

test("the keys of the canvas work right after an agent was opened from the list", async ({ page, api }) => {
  await api.get("members");
  await page.goto(at("agents?search=Web lookup"));
  await page.getByRole("link", { name: "Web lookup", exact: true }).click();
  await expect(page.getByRole("button", { name: /^Publish/ })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.keyboard.press("/");
  await expect(page.getByRole("dialog", { name: "Find a task" })).toBeVisible();
});

test("A adds a task after the focused one, and one undo removes it", async ({ page, api }) => {
  const task = (id: string) => ({
    id,
    kind: "AI",
    name: `Task ${id}`,
    instructions: "Go on.",
    input_parameters: [],
    expected_output: [{ name: `of_${id}`, type: "STRING", description: "Text" }],
  });
  const created = await api.post("workflows?allow_invalid=true", {
    name: "Adding by keyboard",
    assignment_rules: [],
    tasks: [task("first"), task("second")],
    connections: [],
    dependencies: [{ from: "first", to: "second" }],
  });
  await page.goto(at(`agents/${String(created.id)}`));
  const side = page.getByRole("complementary", { name: "Properties" });
  const node = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  const boxes = () =>
    page.locator(".react-flow__node-task").evaluateAll((all) =>
      all.map((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return { left, right, top, bottom };
      }),
    );
  const add = async (kind: string) => {
    await page.keyboard.press("a");
    await expect(page.getByRole("combobox", { name: "Search kinds, tools and code" })).toBeFocused();
    await page.keyboard.type(kind);
    await page.keyboard.press("Enter");
  };

  // The focused task counts, not the selected one; a Human task gets its value, a Coder task only comes after it.
  await node("second").click();
  await expect(side.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("Task second");
  await node("first").focus();
  await add("human");
  await expect(side.getByRole("textbox", { name: "Name", exact: true })).toBeFocused();
  await expect(page.locator(".react-flow__node-task.selected")).toHaveAttribute("data-id", "human");
  await expect(
    page.getByLabel("Connection from of_first of Task first to of_first of Human task"),
  ).toBeAttached();
  const [first, second, human] = await boxes();
  expect(human!.left).toBeGreaterThanOrEqual(first!.right);
  expect(human!.top >= second!.bottom || human!.left >= second!.right).toBe(true);
  await page.keyboard.press("Escape");
  await expect(node("human")).toBeFocused();
  await add("coder");
  await expect(page.locator(".react-flow__node-task")).toHaveCount(4);
  await expect(page.locator(".react-flow__edge")).toHaveCount(3);
  await expect(side.getByRole("textbox", { name: "Name", exact: true })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.locator(".react-flow__node-task").last()).toBeFocused();

  await page.keyboard.press("Control+z");
  await expect(page.locator(".react-flow__node-task")).toHaveCount(3);
  await page.keyboard.press("Control+z");
  await expect(page.locator(".react-flow__node-task")).toHaveCount(2);
  await expect(page.locator(".react-flow__edge")).toHaveCount(1);
});

test("the canvas stays where it is while a connection is dragged near its border, and moves at the border", async ({
  page,
  api,
}) => {
  const task = (id: string) => ({
    id,
    kind: "AI",
    name: `Task ${id}`,
    instructions: "Go on.",
    input_parameters: [],
    expected_output: [{ name: "text", type: "STRING", description: "Text" }],
  });
  const created = await api.post("workflows?allow_invalid=true", {
    name: "Dragging near the border",
    assignment_rules: [],
    tasks: [task("first"), task("second")],
  });
  await page.goto(at(`agents/${String(created.id)}`));
  const viewport = page.locator(".react-flow__viewport");
  const placed = () => viewport.evaluate((each: HTMLElement) => each.style.transform);
  const canvas = (await page.locator(".react-flow").boundingBox())!;
  const output = page.locator('.react-flow__node[data-id="first"] [data-handleid="out:text"]');
  const target = page.locator('.react-flow__node[data-id="second"]');
  await expect(target).toBeVisible();
  const before = await placed();
  const frames = (count: number) =>
    page.evaluate(
      (left) =>
        new Promise<void>((done) => {
          const next = (more: number) => (more === 0 ? done() : requestAnimationFrame(() => next(more - 1)));
          next(left);
        }),
      count,
    );

  await output.hover();
  await page.mouse.down();
  for (const [x, y] of [
    [canvas.x + 12, canvas.y + 200],
    [canvas.x + 200, canvas.y + 12],
    [canvas.x + canvas.width - 12, canvas.y + 200],
  ] as const) {
    await page.mouse.move(x, y, { steps: 4 });
    await frames(10);
    expect(await placed()).toBe(before);
  }
  await target.hover();
  await page.mouse.up();
  await expect(page.locator(".react-flow__edge")).toHaveCount(1);
  expect(await placed()).toBe(before);

  await output.hover();
  await page.mouse.down();
  await page.mouse.move(canvas.x + canvas.width - 1, canvas.y + 200, { steps: 4 });
  await expect.poll(placed).not.toBe(before);
  await page.keyboard.press("Escape");
  await page.mouse.up();
});

test("ten tasks in a row are readable without zooming", async ({ page, api }) => {
  const tasks = Array.from({ length: 10 }, (_, index) => ({
    id: `task_${index}`,
    kind: "AI",
    name: `Task ${index}`,
    instructions: "Do it.",
    input_parameters: [],
    expected_output: [{ name: "result", type: "STRING", description: "It" }],
  }));
  const dependencies = tasks.slice(1).map((task, index) => ({ from: `task_${index}`, to: task.id }));
  const body = { name: "Ten tasks", assignment_rules: [], tasks, dependencies };
  const created = await api.post("workflows?allow_invalid=true", body);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(at(`agents/${String(created.id)}`));
  await expect(page.locator(".react-flow__node")).toHaveCount(10);
  for (const [index, task] of tasks.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one browser window
    await expect(page.locator(`.react-flow__node[data-id=${task.id}]`), `${index}`).toBeInViewport({
      ratio: 0.99,
    });
  }
  const scale = await page
    .locator(".react-flow__viewport")
    .evaluate((each) => new DOMMatrix(getComputedStyle(each).transform).a);
  expect(scale * 13).toBeGreaterThanOrEqual(11);

  // A phone shows them whole, above its controls.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expect(page.locator(".react-flow__node")).toHaveCount(10);
  const controls = (await page.getByLabel("Control Panel").boundingBox())!;
  for (const task of tasks) {
    const node = page.locator(`.react-flow__node[data-id=${task.id}]`);
    // oxlint-disable-next-line no-await-in-loop -- one browser window
    await expect(node).toBeInViewport({ ratio: 0.99 });
    // oxlint-disable-next-line no-await-in-loop
    const box = (await node.boundingBox())!;
    expect(box.y + box.height).toBeLessThan(controls.y);
  }
});

test("no connection passes behind a task, and those of one output end apart, also on a phone", async ({
  page,
  api,
}) => {
  const parameter = (name: string) => ({ name, type: "STRING", description: name });
  const sources: Record<string, string[]> = {
    classify: [],
    answer: ["classify"],
    escalate: ["classify", "answer"],
    close: ["classify", "answer", "escalate"],
    report: ["classify", "close"],
  };
  const tasks = Object.entries(sources).map(([id, before]) => ({
    id,
    kind: "AI",
    // The second name takes two lines.
    name: id === "answer" ? "Answer the message of the customer" : id,
    instructions: "Do it.",
    input_parameters: before.map((from) => ({
      ...parameter(from),
      required: true,
      source: "system_generated",
    })),
    expected_output: [parameter("result")],
  }));
  const connections = Object.entries(sources).flatMap(([task, before]) =>
    before.map((from) => ({ from: { task: from, output: "result" }, to: { task, input: from } })),
  );
  const body = { name: "Skipping", assignment_rules: [], tasks, connections };
  const created = await api.post("workflows?allow_invalid=true", body);
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
    [390, 844],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one browser window
    await page.setViewportSize({ width, height });
    await page.goto(at(`agents/${String(created.id)}`));
    await expect(page.locator(".react-flow__edge")).toHaveCount(connections.length);
    const lines = () =>
      page.locator(".react-flow__edge-path").evaluateAll((paths) => {
        const boxes = [...document.querySelectorAll(".react-flow__node")].map((node) =>
          node.getBoundingClientRect(),
        );
        return paths.map((each) => {
          const path = each as SVGPathElement;
          const length = path.getTotalLength();
          // Without the ends at the ports, which edges of one output share.
          const points = Array.from({ length: 101 }, (_, index) =>
            path.getPointAtLength(20 + ((length - 40) * index) / 100).matrixTransform(path.getScreenCTM()!),
          ).map(({ x, y }) => ({ x, y }));
          const isBehind = points.some(({ x, y }) =>
            boxes.some(
              (box) => x > box.left + 1 && x < box.right - 1 && y > box.top + 1 && y < box.bottom - 1,
            ),
          );
          return { points, isBehind };
        });
      });
    await expect.poll(async () => (await lines()).map(({ isBehind }) => isBehind)).not.toContain(true);
    // The second half of each connection is a line of its own.
    const halves = (await lines()).map(({ points }) => points.slice(50));
    for (const [index, one] of halves.entries()) {
      for (const other of halves.slice(index + 1)) {
        const shared = one.filter((a) => other.some((b) => Math.hypot(a.x - b.x, a.y - b.y) < 1));
        expect(shared.length, `${width} px`).toBeLessThan(10);
      }
    }
    // oxlint-enable no-await-in-loop
  }
});
