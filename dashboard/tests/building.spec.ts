import { countClicks } from "./countClicks";
import { at, expect, expectAccessible, picture, service, test } from "./parley";

test("an agent of all four kinds is built, connected and published with few clicks", async ({
  page,
  api,
}) => {
  await api.post("code-artifacts", {
    name: "Measure",
    language: "javascript",
    source: "export default ({ body }) => ({ size: body.length });",
    inputs: [{ name: "body", type: "STRING", description: "A text" }],
    outputs: [{ name: "size", type: "INTEGER", description: "Its length" }],
  });
  const clicks = await countClicks(page);
  await page.goto(at("agents"));
  await page.getByRole("button", { name: "New agent" }).click();
  await page.getByRole("dialog").getByLabel("Name").pressSequentially("Four kinds");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Four kinds", exact: true })).toBeVisible();
  const side = page.getByRole("complementary", { name: "Properties" });
  const add = async (kind: string) => {
    await page.getByRole("button", { name: `Add ${kind} task` }).click();
    await expect(side.getByRole("textbox", { name: "Name", exact: true })).toHaveValue(`${kind} task`);
    await side.getByLabel("Instructions").click();
    await page.keyboard.type(`Do the ${kind} part.`);
  };
  await add("AI");
  await add("Human");
  await add("App");
  await side.getByRole("combobox", { name: "Tool" }).click();
  await page.keyboard.type("HTTP request");
  await page.keyboard.press("Enter");
  // The form of the tool; the inputs are not defined again.
  const url = side.getByRole("textbox", { name: "URL" });
  await expect(url).toBeVisible();
  await expect(side.getByRole("combobox", { name: "Method", exact: true })).toHaveAttribute(
    "placeholder",
    "Default",
  );
  await expect(side.getByLabel("Name of input 1")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Publish/ })).toBeDisabled();
  await url.click();
  await page.keyboard.type("https://example.com/");
  await expect(url).toHaveValue("https://example.com/");
  await add("Coder");
  await side.getByRole("combobox", { name: "Code" }).click();
  await page.keyboard.type("Measure");
  await page.keyboard.press("Enter");
  // The code's input is connected to the tool's output of the same name.
  const connected = side.getByRole("combobox", { name: "Source" });
  await expect(connected).toHaveValue("body (STRING)");
  await expect(side.getByLabel("Name of output 1")).toHaveValue("size");
  // Each new task follows the selected one.
  await expect(page.locator(".react-flow__edge")).toHaveCount(3);
  await expect(page.locator(".react-flow__node[data-id=app]")).toContainText("App · HTTP request");
  await expect(page.getByText("Ready to publish.")).toBeVisible();
  await page.getByRole("button", { name: /^Publish/ }).click();
  await picture(page, "publish-dialog", ["light"]);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Publish/ })
    .click();
  await expect(page.getByText("version 1", { exact: true })).toBeVisible();
  test.info().annotations.push({ type: "clicks", description: String(clicks()) });
  expect(clicks()).toBeLessThanOrEqual(18);

  // Choosing the same output again keeps the connection.
  await connected.click();
  await page.getByRole("option", { name: "body (STRING)" }).click();
  await expect(connected).toHaveValue("body (STRING)");
});

test("a test run keeps its document and its inputs, and a task runs alone", async ({ page, api }) => {
  const document = (name: string) => ({
    name: "Tested",
    assignment_rules: [{ rule_type: "Exception", assignment_type: "User", assignee_id: service.user }],
    tasks: [
      {
        id: "think",
        kind: "AI",
        name,
        instructions: "Think.",
        input_parameters: [
          { name: "topic", type: "STRING", description: "What about", required: true, source: "human_input" },
        ],
        expected_output: [{ name: "thought", type: "STRING", description: "A thought" }],
      },
    ],
  });
  const id = String((await api.post("workflows", document("Old name"))).id);
  await page.goto(at(`agents/${id}?view=test`));
  const panel = page.getByRole("complementary", { name: "Test run" });
  await panel
    .locator("input[type=file]")
    .setInputFiles({ name: "rows.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n1,2\n") });
  await expect(panel.getByText(/rows\.csv/)).toBeVisible();
  await panel.getByRole("button", { name: "Run", exact: true }).click();
  await expect(panel.getByText("Enter a value.")).toBeVisible();
  await expect(panel.getByLabel("topic")).toBeFocused();
  await panel.getByLabel("topic").fill("Rain");
  await panel.getByRole("button", { name: "Run", exact: true }).click();
  await expect(panel.locator("[data-status=COMPLETED]")).toBeVisible();
  await page.getByRole("button", { name: /^Last values of .*thought: / }).click();
  await expect(page.getByText("thought", { exact: true }).last()).toBeVisible();
  await page.keyboard.press("Escape");
  const run = await panel.getByRole("link", { name: "Open run" }).getAttribute("href");

  // The inputs are remembered, and the task runs alone with those of the run.
  await page.reload();
  await expect(panel.getByLabel("topic")).toHaveValue("Rain");
  await page.getByText("Graph", { exact: true }).click();
  await page.goto(at(`agents/${id}?task=think&run=${run!.split("/").at(-1)}`));
  const side = page.getByRole("complementary", { name: "Properties" });
  const failure = side.getByRole("combobox", { name: "On failure" });
  await expect(failure).toBeHidden();
  await side.getByText("Failure handling", { exact: true }).click();
  await expect(failure).toBeVisible();
  await expect(side.getByRole("button", { name: "Run this task" })).toBeInViewport();
  await side.getByRole("button", { name: "Run this task" }).click();
  await expect(side.getByRole("textbox", { name: "Message" })).toBeFocused();
  await side.getByRole("button", { name: "Use last run’s inputs" }).click();
  await expect(side.getByRole("textbox", { name: "topic" })).toHaveValue("Rain");
  await side.getByRole("button", { name: "Run task" }).click();
  await expect(side.locator("[data-status=COMPLETED]")).toBeVisible();
  await picture(page, "agent-run-task", ["light", "phone"]);

  // A later edit does not change what the run shows.
  await api.answer("PUT", `workflows/${id}`, document("New name"));
  await page.goto(new URL(run!, page.url()).href);
  await expect(page.locator(".react-flow__node").getByText("Old name")).toBeVisible();
});

test(
  "a test run asks for a person's answer in its panel, and then goes on",
  { tag: "@gate" },
  async ({ page, api }) => {
    const { id } = await api.post("workflows", {
      name: "Asks in the panel",
      assignment_rules: [
        { rule_type: "Human Feedback", assignment_type: "User", assignee_id: service.user },
        { rule_type: "Exception", assignment_type: "User", assignee_id: service.user },
      ],
      tasks: [
        {
          id: "count",
          kind: "Human",
          name: "Count the boxes",
          instructions: "Count them.",
          input_parameters: [],
          expected_output: [{ name: "boxes", type: "INTEGER", description: "How many" }],
        },
        {
          id: "report",
          kind: "AI",
          name: "Report",
          instructions: "Report the number.",
          input_parameters: [
            {
              name: "boxes",
              type: "INTEGER",
              description: "How many",
              required: true,
              source: "system_generated",
            },
          ],
          expected_output: [{ name: "report", type: "STRING", description: "The report" }],
        },
      ],
      connections: [{ from: { task: "count", output: "boxes" }, to: { task: "report", input: "boxes" } }],
    });
    await page.goto(at(`agents/${String(id)}?view=test`));
    const panel = page.getByRole("complementary", { name: "Test run" });
    await panel.getByRole("button", { name: "Run", exact: true }).click();
    const boxes = panel.getByLabel("Boxes");
    await expect(boxes).toBeInViewport();
    await expect(panel.getByText("Count them.")).toBeVisible();
    await picture(page, "agent-test-answer", ["light", "dark", "phone"]);
    const complete = panel.getByRole("button", { name: "Complete with these values" });
    await complete.click();
    await expect(panel.getByText("Enter a value.")).toBeVisible();
    await boxes.fill("many");
    await complete.click();
    await expect(boxes).toHaveAttribute("aria-invalid", "true");
    await boxes.fill("12");
    await complete.click();
    await expect(boxes).toHaveCount(0);
    await expect(panel.locator("[data-status=COMPLETED]")).toBeVisible();
    await expect(panel.getByText("report", { exact: true })).toBeInViewport();

    // A click on a card shows what the task got and returned.
    const node = page.locator(".react-flow__node[data-id=count]");
    await node.click();
    const details = panel.getByRole("region", { name: "Task of the test run" });
    await expect(details.getByRole("heading", { name: "Count the boxes" })).toBeVisible();
    await expect(details.getByText("Duration", { exact: true })).toBeVisible();
    await expect(details.getByText("12", { exact: true })).toBeVisible();
    await expect(node.getByText(/^[\d.]+ (ms|s)$/)).toBeVisible();
    await details.getByRole("button", { name: "Back to the test run" }).click();
    await expect(panel.getByRole("button", { name: "Run", exact: true })).toBeVisible();

    // The inputs of a task in this run are pinned for runs of the task alone.
    const report = page.locator(".react-flow__node[data-id=report]");
    await report.click();
    await details.getByRole("button", { name: "Run alone with these inputs" }).click();
    const alone = page.getByRole("region", { name: "Run this task" });
    await expect(alone.getByLabel("Boxes")).toHaveValue("12");
    await alone.getByRole("button", { name: "Run task" }).click();
    await expect(alone.locator("[data-status=COMPLETED]")).toBeVisible();

    await node.click({ button: "right" });
    await page.getByRole("menuitem", { name: "Run this task" }).click();
    await expect(alone.getByRole("button", { name: "Run task" })).toBeInViewport();
    await page.getByText("Test run", { exact: true }).click();
    await node.click();
    await details.getByRole("button", { name: "Edit task" }).click();
    await expect(
      page.getByRole("complementary", { name: "Properties" }).getByLabel("Name").first(),
    ).toBeFocused();
  },
);

test(
  "on a phone, a task is added by one button and edited in a sheet over the canvas",
  { tag: "@gate" },
  async ({ page, api }) => {
    const { id } = await api.post("workflows?allow_invalid=true", {
      name: "On a phone",
      tasks: [{ id: "read", kind: "AI", name: "Read it", instructions: "Read." }],
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(at(`agents/${String(id)}`));
    const node = page.locator(".react-flow__node").filter({ hasText: "Read it" });
    await expect(node).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("toolbar", { name: "Add tasks" }).getByRole("button")).toHaveCount(1);
    await node.click();
    const sheet = page.getByRole("complementary", { name: "Properties" });
    const name = sheet.getByRole("textbox", { name: "Name", exact: true });
    // The agent's form has a field of the same name.
    await expect(name).toHaveValue("Read it");
    await expect(name).toBeInViewport({ ratio: 1 });
    await name.fill("Read it well");
    await expect(page.locator(".react-flow__node").getByText("Read it well")).toBeVisible();
    await expectAccessible(page);
    await sheet.getByRole("button", { name: "Close task" }).click();
    await expect(page.locator("aside[data-sheet]")).toHaveCount(0);
    await page.getByRole("button", { name: "Add a task", exact: true }).click();
    await expect(page.getByRole("option", { name: /^HTTP request/ })).toContainText("App · Built-in");
    await page.getByRole("option", { name: /^Human task/ }).click();
    await expect(name).toHaveValue("Human task");
    await expect(name).toBeInViewport({ ratio: 1 });
    await sheet.getByRole("button", { name: "Close task" }).click();
    await expect(page.locator(".react-flow__node")).toHaveCount(2);
  },
);

test("an agent is created from a template with its code, and duplicated", async ({ page, api }) => {
  await api.get("members");
  await page.goto(at("agents"));
  await page.getByRole("button", { name: "New agent" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Claim" }).click();
  await expect(dialog.getByText(/A tool such as “getDelivery”/)).toBeVisible();
  await picture(page, "new-agent", ["light", "dark", "phone"]);
  await dialog.getByRole("searchbox", { name: "Search templates" }).fill("order tot");
  await dialog.getByRole("radio", { name: "Order total" }).click();
  await expect(dialog.getByRole("region", { name: "Preview" }).locator(".react-flow__node")).toHaveCount(2);
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "Order total", exact: true })).toBeVisible();
  await expect(page.getByText("Ready to publish.")).toBeVisible();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await expect(page.getByRole("heading", { name: "Copy of Order total" })).toBeVisible();
  await expect(page.locator(".react-flow__node")).toHaveCount(2);
});

test("an issue leads to the parameter of the tool, which gets a value or an output", async ({
  page,
  api,
}) => {
  const { id } = await api.post("workflows?allow_invalid=true", {
    name: "Calls a tool",
    assignment_rules: [{ rule_type: "Exception", assignment_type: "User", assignee_id: service.user }],
    tasks: [
      {
        id: "find",
        kind: "AI",
        name: "Find",
        instructions: "Find the number in {{trigger.human_msg}}.",
        input_parameters: [],
        expected_output: [{ name: "number", type: "INTEGER", description: "A number" }],
      },
      {
        id: "call",
        kind: "App",
        name: "Call",
        instructions: "Call the address.",
        provider: "builtin",
        tool_name: "http.request",
        tool_id: 1,
        input_parameters: [
          { name: "url", type: "STRING", description: "URL", required: true, source: "task_config" },
        ],
        expected_output: [],
      },
    ],
    dependencies: [{ from: "find", to: "call" }],
  });
  await page.goto(at(`agents/${String(id)}`));
  const side = page.getByRole("complementary", { name: "Properties" });
  await page.getByRole("button", { name: /to fix before publishing · 1 warning/ }).click();
  const issues = page.getByRole("region", { name: "Issues" });
  await issues.getByRole("button", { name: "Find" }).click();
  const instructions = side.getByRole("textbox", { name: "Instructions" });
  await expect(instructions).toBeFocused();
  await expect(side.getByText(/add an input named human_msg/)).toBeVisible();
  await instructions.fill("Find the number.");
  await expect(side.getByText("The model gets this text and the values of the inputs.")).toBeVisible();
  await issues.getByRole("button", { name: "Call" }).click();
  const url = side.getByRole("textbox", { name: "URL" });
  await expect(url).toBeFocused();
  await page.keyboard.type("https://example.com/");
  await expect(page.getByText("Ready to publish.")).toBeVisible();

  // A parameter that the task lacks is added with its source; the body accepts any output.
  await side.getByRole("combobox", { name: "Source of Body" }).click();
  await page.getByRole("option", { name: "An earlier task" }).click();
  await side.getByRole("combobox", { name: "Body", exact: true }).click();
  await page.getByRole("option", { name: "number (INTEGER)" }).click();
  await expect(page.locator(".react-flow__edge")).toHaveCount(1);
  await expect(page.getByText("Ready to publish.")).toBeVisible();
});

test("a restored version suggests a note for its publication", async ({ page, api }) => {
  const task = {
    id: "ask",
    name: "Ask",
    instructions: "Approve it.",
    kind: "Human",
    input_parameters: [],
    expected_output: [{ name: "approved", type: "BOOLEAN", description: "Whether it is right" }],
  };
  const document = (name: string, instructions: string) => ({
    name,
    description: "",
    assignment_rules: [{ rule_type: "Human Feedback", assignment_type: "User", assignee_id: service.user }],
    tasks: [{ ...task, instructions }],
  });
  const { id } = await api.post("workflows", document("Approver", "Approve it."));
  await api.post(`workflows/${String(id)}/publish`, {});
  await api.answer("PUT", `workflows/${String(id)}`, document("Approver of all", "Approve all."));
  await api.post(`workflows/${String(id)}/publish`, {});
  await page.goto(at(`agents/${String(id)}/versions?version=1`));
  await page.getByRole("button", { name: "Restore version 1 to the draft" }).click();
  await page.getByRole("button", { name: "Publish…" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish agent" });
  await expect(dialog.getByRole("textbox", { name: "Note" })).toHaveValue("Restored version 1");
  // The changes of the agent are as open as those of its tasks.
  await expect(dialog.getByLabel("Changes of Name")).toBeVisible();
  await expect(dialog.getByLabel("Changes of Instructions")).toBeVisible();
  await dialog.getByRole("button", { name: "Publish version 3" }).click();
  await expect(dialog).toHaveCount(0);
  await page.goto(at(`agents/${String(id)}/versions`));
  await expect(page.getByRole("list", { name: "Published versions" })).toContainText("Restored version 1");
});
