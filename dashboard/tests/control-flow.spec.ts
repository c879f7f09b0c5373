import type { Locator, Page } from "@playwright/test";
import { at, expect, expectDraftSaved, picture, service, start, test, ticketOf, trigger } from "./parley";

test("a run shows why a task was skipped, its items, and what it waits for", async ({ page, api }) => {
  const refund = await start(api, "Refund decision", { inputs: { request: "Money back, please" } });
  await api.post(`tickets/${ticketOf(refund)}/complete`, {
    answer: { approved: false, reason: "The warranty has ended" },
  });
  await page.goto(at(`runs/${refund.workflow_instance_id}?task=confirm`));
  const task = page.getByRole("complementary");
  await expect(task.getByText("The condition doesn’t hold")).toBeVisible();
  await expect(task.getByText("tasks.decide.approved", { exact: true })).toBeVisible();
  await picture(page, "run-skipped", ["light", "dark"]);

  const review = await start(api, "Invoice review", { inputs: { invoice: ["One", "Two", "Three", "Four"] } });
  await page.goto(at(`runs/${review.workflow_instance_id}?task=check`));
  await expect(task.getByText("0 of 4 completed")).toBeVisible();
  await expect(page.locator(".react-flow__node").getByText("0 of 4 items")).toBeVisible();

  const payment = await trigger(api, "Payment callback", {});
  await page.goto(at(`runs/${payment.workflow_instance_id}?task=payment`));
  await expect(task.getByText("Waits for an event until")).toBeVisible();
  await expect(task.getByRole("button", { name: "Copy URL" })).toBeVisible();
  await expect(page.locator(".react-flow__node[data-id=payment]").getByText(/^until .*\d/)).toBeVisible();
  await picture(page, "run-wait", ["light", "phone"]);
  await api.post(`instances/${payment.workflow_instance_id}/cancel`);
  await api.post(`instances/${review.workflow_instance_id}/cancel`);
});

const output = (name: string, type: string) => ({ name, type, description: `The ${name}` });
const task = (id: string, kind: string, name: string, outputs: object[]) => ({
  id,
  kind,
  name,
  instructions: "Do it.",
  input_parameters: [],
  expected_output: outputs,
});

/** Drags from a connection point to the middle of a task's head. */
async function drop(page: Page, from: Locator, to: Locator) {
  const begin = (await from.boundingBox())!;
  const end = (await to.boundingBox())!;
  await page.mouse.move(begin.x + begin.width / 2, begin.y + begin.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + 20, { steps: 8 });
  await page.mouse.up();
}

test("the editor begins branches at dropped edges, completes conditions and shows their errors", async ({
  page,
  api,
}) => {
  const created = await api.post("workflows?allow_invalid=true", {
    name: "Refunds",
    assignment_rules: [{ rule_type: "Human Feedback", assignment_type: "User", assignee_id: service.user }],
    tasks: [
      task("decide", "Human", "Decide", [output("approved", "BOOLEAN"), output("reason", "STRING")]),
      task("confirm", "AI", "Confirm", [output("letter", "STRING")]),
      task("refuse", "AI", "Refuse", [output("letter", "STRING")]),
      task("send", "AI", "Send", [output("message", "STRING"), output("done", "BOOLEAN")]),
    ],
    dependencies: [
      { from: "decide", to: "confirm" },
      { from: "confirm", to: "send" },
      { from: "refuse", to: "send" },
    ],
  });
  const id = String(created.id);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(at(`agents/${id}`));
  const node = (name: string) => page.locator(`.react-flow__node[data-id="${name}"]`);
  const side = page.getByRole("complementary", { name: "Properties" });
  const condition = side.getByRole("textbox", { name: "Run only if" });
  const names = page.getByRole("listbox", { name: "Names" });

  // An output that is true or false begins a branch.
  const approved = node("decide").locator('[data-handleid="out:approved"]');
  await drop(page, approved, node("confirm"));
  await page.getByRole("menuitem", { name: "Run only if approved", exact: true }).click();
  await expect(node("confirm").getByText("if approved")).toBeVisible();
  await drop(page, approved, node("refuse"));
  await page.getByRole("menuitem", { name: "Run only if not approved" }).focus();
  await page.keyboard.press("Enter");
  await expect(node("refuse").getByText("if not approved")).toBeVisible();
  await expect(page.getByText("Ready to publish.")).toBeVisible();

  // The new edge shows its buttons.
  await page.getByRole("button", { name: "Change condition" }).click();
  await expect(condition).toBeFocused();
  await expect(condition).toHaveValue("!tasks.decide.approved");

  // Names are completed by keyboard; errors have their column.
  await page.keyboard.press("End");
  await page.keyboard.type(" && rea");
  await expect(names.getByRole("option")).toHaveText([/tasks\.decide\.reason\s*STRING/]);
  await picture(page, "editor-condition", ["light", "dark", "phone"]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await condition.focus();
  await page.keyboard.press("Escape");
  await expect(names).toBeHidden();
  await page.keyboard.press("Control+Space");
  await page.keyboard.press("Enter");
  await expect(condition).toHaveValue("!tasks.decide.approved && tasks.decide.reason");
  await expect(side.getByText(/At column 24: /)).toBeVisible();
  await page.keyboard.type(" != '' && tasks.decide.reson == ''");
  await expect(side.getByText("At column 68: there is nothing named 'reson' here.")).toBeVisible();
  await expect(node("refuse").getByTitle(/^Has an issue\. Runs only if/)).toBeVisible();
  await condition.fill("!tasks.decide.approved");
  await expect(side.getByText(/At column/)).toBeHidden();
  await expect(node("refuse").getByTitle(/^Runs only if/)).toBeVisible();

  // A new ID and new names of outputs are followed.
  await node("decide").click();
  await expect(side.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("Decide");
  await side.getByLabel("Name of output 1").fill("accepted");
  await expect(node("refuse").getByText("if not accepted")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(node("refuse").getByText("if not approved")).toBeVisible();

  await node("send").click();
  await expect(side.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("Send");
  await side.getByRole("combobox", { name: "Join" }).click();
  await page.getByRole("option", { name: "Any task before it must run" }).click();
  await side.getByRole("switch", { name: "For each item of a list" }).click();
  await expect(side.getByRole("combobox", { name: "List" })).toHaveValue("item");
  await side.getByRole("textbox", { name: "Items at a time" }).fill("3");
  await side.getByRole("switch", { name: "Repeat until a condition holds" }).click();
  await expect(side.getByRole("textbox", { name: "Repeat until" })).toHaveValue("outputs.done");
  await side.getByRole("combobox", { name: "Inputs from the run before" }).click();
  await page.getByRole("option", { name: "message" }).click();
  await page.keyboard.press("Escape");
  await expect(node("send").getByText("for each item")).toBeVisible();
  await expect(node("send").getByText("until done")).toBeVisible();
  await expect(page.getByText("Ready to publish.")).toBeVisible();
  await picture(page, "editor-control-flow", ["light", "dark", "phone"]);
  await page.setViewportSize({ width: 1280, height: 900 });

  await expectDraftSaved(page);
  const { tasks } = (await api.get(`workflows/${id}`)).document as { tasks: object[] };
  expect(tasks[2]).toMatchObject({ when: "!tasks.decide.approved" });
  expect(tasks[3]).toMatchObject({
    join: "any",
    for_each: { input: "item", max_parallel: 3 },
    repeat: { until: "outputs.done", max: 10 },
    input_parameters: [{ name: "item" }, { name: "previous.message", source: "system_generated" }],
  });
});

test("the editor offers the waiting tools with forms of their own", async ({ page, api }) => {
  const created = await api.post("workflows?allow_invalid=true", {
    name: "Waiting",
    assignment_rules: [{ rule_type: "Exception", assignment_type: "User", assignee_id: service.user }],
    tasks: [],
  });
  await page.goto(at(`agents/${String(created.id)}`));
  const side = page.getByRole("complementary", { name: "Properties" });
  const add = async (tool: string) => {
    await page.locator(".react-flow__pane").click({ position: { x: 20, y: 300 } });
    await page.keyboard.press("a");
    await page.getByRole("combobox", { name: "Search kinds, tools and code" }).fill(tool);
    await page.keyboard.press("Enter");
    await expect(side.getByRole("textbox", { name: "Name", exact: true })).toHaveValue(tool);
    await side.getByLabel("Instructions").fill("Wait.");
  };
  await add("Wait for a time");
  await side.getByRole("textbox", { name: "Duration" }).fill("3");
  await side.getByRole("combobox", { name: "Unit" }).click();
  await page.getByRole("option", { name: "days" }).click();
  await expect(page.locator(".react-flow__node").getByText("waits 3 days")).toBeVisible();
  await expect(side.getByLabel("Type of output 1")).toHaveValue("DATETIME");
  await expect(page.getByText("Ready to publish.")).toBeVisible();
  await picture(page, "editor-wait", ["light"]);
  await side.getByText("Until a time").click();
  await side.getByRole("textbox", { name: "Time" }).fill("2030-01-31T09:30:00Z");
  await expect(page.getByText("Ready to publish.")).toBeVisible();

  await add("Wait for an event");
  await side.getByRole("textbox", { name: "Expires after" }).fill("2");
  await expect(page.locator(".react-flow__node").getByText("waits for an event")).toBeVisible();
  await expect(side.getByText("Declare the members of the event as outputs.")).toBeVisible();
  await expectDraftSaved(page);
  const { tasks } = (await api.get(`workflows/${String(created.id)}`)).document as { tasks: object[] };
  expect(tasks[1]).toMatchObject({
    tool_name: "event.wait",
    input_parameters: [{ name: "expires_in_seconds", value: 172_800 }],
  });
});

test("a template brings its sub-workflow, and the runs of both link to each other", async ({ page, api }) => {
  await page.goto(at("agents"));
  await page.getByRole("button", { name: "New agent" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Revise until content" }).click();
  await expect(dialog.getByText(/The agent “Draft review”, which is created/)).toBeVisible();
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "Revise until content" })).toBeVisible();
  await expect(page.getByText("Ready to publish.")).toBeVisible();
  const node = page.locator(".react-flow__node[data-id=revise]");
  await expect(node.getByText("App · Draft review")).toBeVisible();
  await node.click();
  await expect(page.getByRole("link", { name: "Open the agent" })).toBeVisible();
  await expect(page.getByRole("button", { name: /Update inputs and outputs/ })).toBeHidden();
  await picture(page, "editor-sub-workflow", ["light", "dark"]);

  const run = await trigger(api, "Revise until content", { inputs: { topic: "Autumn" } });
  await page.goto(at(`runs/${run.workflow_instance_id}?task=revise`));
  await expect(node.getByText("iteration 1")).toBeVisible();
  await picture(page, "run-sub-workflow", ["light", "dark", "phone"]);
  await node.getByRole("link", { name: "Open its run" }).click();
  await expect(page.getByRole("heading", { name: "Run of Draft review" })).toBeVisible();
  await page.getByRole("link", { name: "a task of another run" }).click();
  await expect(page.getByRole("heading", { name: "Run of Revise until content" })).toBeVisible();
  await page.getByRole("link", { name: "List their runs" }).click();
  await expect(page.getByText("Sub-workflows of one run")).toBeVisible();
  await expect(page.getByRole("row", { name: /Draft review/ })).toHaveCount(1);
  await api.post(`instances/${run.workflow_instance_id}/cancel`);
});

test("the condition of a tool's approval completes the names of its arguments", async ({ page, api }) => {
  const created = await api.post("workflows?allow_invalid=true", {
    name: "Approved calls",
    assignment_rules: [{ rule_type: "Human Feedback", assignment_type: "User", assignee_id: service.user }],
    tasks: [
      {
        ...task("fetch", "AI", "Fetch", [output("page", "STRING")]),
        tools: [{ id: 1, approval: "when", when: "" }],
      },
    ],
  });
  await page.goto(at(`agents/${String(created.id)}?task=fetch`));
  const field = page.getByRole("textbox", { name: "Condition over the arguments" });
  await field.pressSequentially("met");
  await expect(page.getByRole("option", { name: /arguments\.method/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("arguments.method");
  await field.fill("arguments.method == 'POST'");
  await expect(page.getByText("Ready to publish.")).toBeVisible();
});
