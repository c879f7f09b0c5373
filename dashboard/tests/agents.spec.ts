import type { Locator } from "@playwright/test";
import { at, expect, expectDraftSaved, picture, service, start, test, workflow } from "./parley";

test(
  "an agent is built in the graph, published, tested, and its versions are compared",
  { tag: "@gate" },
  async ({ page, api }) => {
    await api.get("members");
    await page.goto(at("agents"));
    await expect(page.getByRole("link", { name: "Invoice approval" })).toBeVisible();
    await picture(page, "agents", ["light", "dark", "phone"]);
    const laptop = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    const lefts = await page
      .locator("td[data-label=Updated]")
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left));
    expect(new Set(lefts).size).toBe(1);
    await page.setViewportSize(laptop);
    await page.getByRole("button", { name: "New agent" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Greeter");
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    await expect(page.getByRole("heading", { name: "Greeter", exact: true })).toBeVisible();

    // Issues appear while typing, at the field and in the graph.
    await page.getByRole("button", { name: "Add AI task" }).click();
    const side = page.getByRole("complementary", { name: "Properties" });
    await expect(page.getByText(/to fix before publishing/)).toBeVisible();
    await expect(page.getByRole("button", { name: /^Publish/ })).toBeDisabled();
    // Wait until the panel switches from the agent to the new task.
    const name = side.getByRole("textbox", { name: "Name", exact: true });
    await expect(name).toHaveValue("AI task");
    await name.fill("Greet");
    await side.getByLabel("Instructions").fill("Greet the person.");
    await side.getByRole("button", { name: "Add output" }).click();
    await side.getByLabel("Name of output 2").fill("count");
    await side.getByRole("combobox", { name: "Type of output 2" }).click();
    await page.getByRole("option", { name: "INTEGER" }).click();
    await side.getByLabel("Description of output 2").fill("How many words");
    await expect(page.getByText("Ready to publish.")).toBeVisible();
    await expect(page.getByText("Needs work")).toHaveCount(0);

    // Without a selected task, a new one is not connected.
    await page.locator(".react-flow__pane").click({ position: { x: 60, y: 500 } });
    await page.getByRole("button", { name: "Add Human task" }).click();
    await expect(name).toHaveValue("Human task");
    await name.fill("Check");
    await side.getByLabel("Instructions").fill("Is it friendly?");
    await side.getByRole("button", { name: "Add input" }).click();
    await side.getByLabel("Name of input 1").fill("text");
    await side.getByLabel("Description of input 1").fill("The greeting");
    await expect(page.getByText(/to fix before publishing/)).toBeVisible();

    // A STRING input accepts a STRING output but no INTEGER.
    const port = (task: string, id: string) =>
      page.locator(`.react-flow__node[data-id=${task}] .react-flow__handle[data-handleid="${id}"]`);
    await page.getByRole("button", { name: "Fit View" }).click();
    const draw = async (from: Locator, to: Locator) => {
      const begin = (await from.boundingBox())!;
      const end = (await to.boundingBox())!;
      await page.mouse.move(begin.x + begin.width / 2, begin.y + begin.height / 2);
      await page.mouse.down();
      await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 8 });
      await page.mouse.up();
    };
    await draw(port("ai", "out:count"), port("human", "in:text"));
    await expect(page.getByText("INTEGER connects only to INTEGER or FLOAT.")).toBeVisible();
    await draw(port("ai", "out:result"), port("human", "in:text"));
    await expect(page.locator(".react-flow__edge")).toHaveCount(1);
    await expect(page.locator(".react-flow__node[data-id=human]")).toBeInViewport({ ratio: 0.99 });
    await expect(page.getByText("Ready to publish.")).toBeVisible();
    await page.getByRole("button", { name: /^Publish/ }).click();
    await page.getByRole("dialog").getByLabel("Note").fill("First try");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Publish/ })
      .click();
    await expect(page.getByText("version 1", { exact: true })).toBeVisible();
    await expect(page.getByText("Published as version 1. No changes.")).toBeVisible();
    await page.getByRole("button", { name: "Fit View" }).click();
    await picture(page, "agent-editor", ["light", "dark", "phone"]);

    // The JSON view edits the same document.
    await page.getByText("JSON", { exact: true }).click();
    const json = page.getByRole("textbox", { name: "Agent as JSON" });
    await expect(json).toContainText('"Greeter"');
    expect(new URL(page.url()).searchParams.get("view")).toBe("json");
    await picture(page, "agent-json", ["light"]);
    await json.getByText('"Greeter"').dblclick();
    await page.keyboard.type("Doorman");
    await expect(page.getByRole("heading", { name: /Doorman/ })).toBeVisible();
    await expectDraftSaved(page);

    // The published version stays as it is; there is a way back to it, and one back from there.
    const differs = page.getByRole("link", { name: "Draft differs from version 1" });
    await expect(differs).toHaveAttribute("href", /\/versions$/);
    await expect(page.getByText("Until then, new runs use version 1.")).toBeVisible();
    await picture(page, "agent-differs", ["light", "dark", "phone"]);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Revert to version 1…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revert" }).click();
    await expect(page.getByRole("heading", { name: "Greeter", exact: true })).toBeVisible();
    await expect(page.getByText("version 1", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByRole("heading", { name: "Doorman", exact: true })).toBeVisible();
    await expect(differs).toBeVisible();

    await page.getByText("Test run", { exact: true }).click();
    const panel = page.getByRole("complementary", { name: "Test run" });
    await panel.getByLabel("Message").fill("Hello");
    await panel.getByRole("button", { name: "Run" }).click();
    await expect(panel.getByText(/is waiting for/)).toBeVisible();
    await expect(panel.getByRole("button", { name: /complete/i })).toBeInViewport();
    await picture(page, "agent-test-run", ["light"]);

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Versions" }).click();
    await expect(page.getByText("Agent settings changed.")).toBeVisible();
    await expect(page.getByLabel("Changes of Name")).toContainText("− Greeter");
    await expect(page.getByRole("button", { name: /^Restore/ })).toHaveCount(0);
    await expect(page.getByText(/First try/).first()).toBeVisible();
    await page.getByRole("main").locator("time").first().hover();
    await expect(page.getByRole("tooltip", { name: / UTC$/ })).toBeVisible();
    await picture(page, "agent-versions", ["light"]);
    await page
      .getByRole("list", { name: "Published versions" })
      .getByRole("button", { name: /^Version 1/ })
      .click();
    await expect(page.getByText(/^2 tasks added/)).toBeVisible();
    await page.getByText("Graph", { exact: true }).click();
    await expect(page.locator(".react-flow__node")).toHaveCount(2);
    await expect(page.getByRole("region", { name: "Selected task" })).toContainText("Greet the person.");
    await page.getByRole("button", { name: "Restore version 1 to the draft" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await expect(page.getByRole("heading", { name: "Greeter", exact: true })).toBeVisible();
    await expect(page.getByText("version 1", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Versions" }).click();
    await expect(
      page.getByText("The draft is the same as this version, so there is nothing to restore."),
    ).toBeVisible();
  },
);

test("changes of the draft are undone and redone", async ({ page, api }) => {
  const { id } = await api.post("workflows?allow_invalid=true", {
    name: "First name",
    assignment_rules: [],
    tasks: [],
  });
  await page.goto(at(`agents/${String(id)}`));
  const side = page.getByRole("complementary", { name: "Properties" });
  const name = side.getByRole("textbox", { name: "Name", exact: true });
  const undo = page.getByRole("button", { name: "Undo" });
  const redo = page.getByRole("button", { name: "Redo" });
  await expect(undo).toBeDisabled();
  const description = side.getByLabel("Description", { exact: true });
  // Typing in one field is one step.
  await name.press("End");
  await name.pressSequentially(", later longer");
  await description.fill("About it");
  await expectDraftSaved(page);
  await undo.click();
  await expect(description).toHaveValue("");
  await expect(name).toHaveValue("First name, later longer");
  await undo.click();
  await expect(name).toHaveValue("First name");
  await expect(undo).toBeDisabled();
  await expectDraftSaved(page);
  expect(await api.get(`workflows/${String(id)}`)).toMatchObject({ document: { name: "First name" } });
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("Control+Shift+z");
  await expect(name).toHaveValue("First name, later longer");
  await expect(redo).toBeEnabled();
  // A change after an undo ends the redo.
  await name.fill("Other name");
  await expect(redo).toBeDisabled();
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("Control+z");
  await expect(name).toHaveValue("First name, later longer");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Undo all changes since opening" }).click();
  await expect(name).toHaveValue("First name");
  await undo.click();
  await expect(name).toHaveValue("First name, later longer");
});

test("the list shows the latest runs of each agent, however busy the others are", async ({ page, api }) => {
  const document = (name: string) => ({
    name,
    assignment_rules: [{ rule_type: "Human Feedback", assignment_type: "User", assignee_id: service.user }],
    tasks: [
      {
        id: "answer",
        kind: "AI",
        name: "Answer",
        instructions: "Answer.",
        input_parameters: [
          {
            name: "human_msg",
            type: "STRING",
            description: "It",
            required: true,
            source: "system_generated",
          },
        ],
        expected_output: [{ name: "answer", type: "STRING", description: "The answer" }],
      },
    ],
    connections: [],
    dependencies: [],
  });
  await api.post("workflows", document("Unused agent"));
  await api.post("workflows", document("Quiet agent"));
  await api.post("workflows", document("Busy agent"));
  const quiet = await start(api, "Quiet agent", { human_msg: "Hello" });
  const busy = [];
  for (let count = 0; count < 6; count++) {
    // Sequential, so that the order of the runs is known.
    // oxlint-disable-next-line no-await-in-loop
    busy.push(await start(api, "Busy agent", { human_msg: "Hello" }));
  }
  await page.goto(at("agents"));
  const row = (name: string) =>
    page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
  await expect(row("Unused agent")).toContainText("No runs yet");
  const runs = row("Busy agent").locator("a[href*='/runs/']");
  await expect(runs).toHaveCount(5);
  await expect(runs.last()).toHaveAccessibleName(/^Earlier run: Test run, Completed, /);
  await expect(runs.first()).toHaveAttribute("href", new RegExp(busy[5]!.workflow_instance_id));
  await expect(row("Quiet agent").locator("a[href*='/runs/']")).toHaveCount(1);
  await row("Quiet agent").getByRole("link", { name: "Completed" }).click();
  await expect(page).toHaveURL(new RegExp(quiet.workflow_instance_id));
});

test("an exported agent can be imported as another", async ({ page, api }, info) => {
  const id = await workflow(api, "Meeting minutes");
  await page.goto(at(`agents/${id}`));
  await page.getByRole("button", { name: "More actions" }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Export as JSON" }).click();
  const file = info.outputPath("minutes.json");
  await (await downloading).saveAs(file);
  await page.goto(at("agents"));
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog");
  const invalid = { name: "notes.json", mimeType: "application/json", buffer: Buffer.from("Notes") };
  await dialog.locator("input[type=file]").setInputFiles(invalid);
  const importing = dialog.locator("button[type=submit]").filter({ hasText: "Import" });
  await expect(dialog.getByText(/^notes\.json isn’t valid JSON/)).toBeInViewport();
  await expect(importing).toBeDisabled();
  await dialog.locator("input[type=file]").setInputFiles(file);
  await expect(dialog.getByLabel("Name")).toHaveValue("Meeting minutes (2)");
  await expect(dialog.getByText(/^An agent named “Meeting minutes” exists already/)).toBeVisible();
  await picture(page, "agent-import", ["light", "phone"]);
  await dialog.getByLabel("Name").fill("Minutes again");
  await importing.click();
  await expect(page.getByRole("heading", { name: "Minutes again", exact: true })).toBeVisible();
  const copy = await workflow(api, "Minutes again");
  const document = async (of: string) => (await api.get(`workflows/${of}`)).document as object;
  expect({ ...(await document(copy)), name: "" }).toEqual({ ...(await document(id)), name: "" });
});

test("a link opens a task's form, and Back returns to the previous task", async ({ page, api }) => {
  const id = await workflow(api, "Travel request");
  await page.goto(at(`agents/${id}?task=plan`));
  const side = page.getByRole("complementary", { name: "Properties" });
  const expectTask = (task: string) => expect(side.getByLabel("ID", { exact: true })).toHaveValue(task);
  await expectTask("plan");
  const other = page.locator(".react-flow__node:not([data-id=plan])").first();
  await other.click();
  const { task } = Object.fromEntries(new URL(page.url()).searchParams);
  await expectTask(task!);
  expect(task).not.toBe("plan");
  await page.getByText("Test run", { exact: true }).click();
  await expect(page).toHaveURL(/view=test/);
  await page.goBack();
  await expectTask(task!);
  await page.goBack();
  await expectTask("plan");
  await side.getByRole("button", { name: "Close task" }).click();
  await expect(side.getByLabel("Description", { exact: true })).toBeVisible();
  expect(new URL(page.url()).search).toBe("");
  await page.goBack();
  await expectTask("plan");
});

test("tasks keep their positions until the graph is tidied up", async ({ page, api }) => {
  const id = await workflow(api, "Travel request");
  await page.goto(at(`agents/${id}`));
  const node = page.locator(".react-flow__node").nth(1);
  const placed = () => node.evaluate((each: HTMLElement) => each.style.transform);
  await expect(node).toBeVisible();
  const before = await placed();
  const box = (await node.boundingBox())!;
  await page.mouse.move(box.x + 90, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y + 120, { steps: 6 });
  const kept = page.waitForResponse(
    (each) => each.url().endsWith("/positions") && each.request().method() === "PUT",
  );
  await page.mouse.up();
  expect((await kept).ok()).toBe(true);
  const after = await placed();
  expect(after).not.toBe(before);
  await expectDraftSaved(page);

  await page.reload();
  await expect.poll(placed).toBe(after);
  const run = await start(api, "Travel request", { human_msg: "To Graz" });
  await page.goto(at(`runs/${run.workflow_instance_id}`));
  await expect.poll(placed).toBe(after);

  await page.goto(at(`agents/${id}`));
  // A renamed task keeps its position.
  await node.click();
  await page
    .getByRole("complementary", { name: "Properties" })
    .getByLabel("ID", { exact: true })
    .fill("renamed");
  await page.keyboard.press("Tab");
  await expect(page.locator(".react-flow__node[data-id=renamed]")).toBeVisible();
  await expect.poll(placed).toBe(after);
  await page.getByRole("button", { name: "Tidy up" }).click();
  await expect.poll(placed).toBe(before);
  await expect(page.getByRole("button", { name: "Tidy up" })).toHaveCount(0);
  await expect.poll(async () => (await api.get(`workflows/${id}/positions`)).positions).toEqual({});
});

test("a fixed value follows the document when another input takes its place", async ({ page, api }) => {
  const fixed = (name: string, value: string) => ({
    name,
    type: "STRING",
    description: "It",
    required: true,
    source: "task_config",
    value,
  });
  const created = await api.post("workflows", {
    name: "Fixed values",
    assignment_rules: [{ rule_type: "Exception", assignment_type: "User", assignee_id: service.user }],
    tasks: [
      {
        id: "answer",
        kind: "AI",
        name: "Answer",
        instructions: "Answer.",
        input_parameters: [fixed("one", "first"), fixed("two", "second")],
        expected_output: [{ name: "answer", type: "STRING", description: "The answer" }],
      },
    ],
  });
  await page.goto(at(`agents/${String(created.id)}?task=answer`));
  const side = page.getByRole("complementary", { name: "Properties" });
  const value = side.getByRole("textbox", { name: "Value", exact: true });
  await expect(value).toHaveCount(2);
  await value.first().fill("changed");
  await side.getByRole("button", { name: "Remove input one" }).click();
  await expect(value).toHaveValue("second");
  await side.getByRole("combobox", { name: "Type of input 1" }).click();
  await page.getByRole("option", { name: "INTEGER" }).click();
  await expect(value).toHaveValue("");
  await value.fill("3");

  // Ctrl+S works in the JSON view too.
  await page.getByText("JSON", { exact: true }).click();
  await page.getByRole("textbox", { name: "Agent as JSON" }).getByText('"two"').click();
  await page.keyboard.press("Control+s");
  await expectDraftSaved(page);
});
