import { expect, expectStatus, picture, service, test, testRun, ticketOf, type Run } from "./parley";

test(
  "a failed run names its error in the list and its task, and is retried at once",
  { tag: "@gate" },
  async ({ page, newOrganization }) => {
    const { at: inNew, api } = await newOrganization("Failing runs");
    const task = (id: string, name: string) => ({
      id,
      name,
      instructions: "Do it.",
      kind: "Human",
      input_parameters: [],
      expected_output: [],
    });
    const agent = await api.post("workflows", {
      name: "Two steps",
      description: "",
      assignment_rules: [{ rule_type: "Human Feedback", assignment_type: "User", assignee_id: service.user }],
      tasks: [task("ask", "Ask first"), task("then", "Then")],
      connections: [],
      dependencies: [{ from: "ask", to: "then" }],
    });
    const run = await testRun(api, agent.id, { human_msg: "Go" });
    await api.post(`tickets/${ticketOf(run)}/reject`, { reason: "Too expensive" });
    await expectStatus(api, run, "FAILED");

    await page.goto(inNew("runs"));
    const row = page.getByRole("row", { name: /Two steps/ });
    await expect(row).toContainText("Too expensive");
    // The row opens beside its link, too.
    await row.getByRole("cell").nth(3).click();
    await expect(page.getByText("0 of 2 completed")).toBeVisible();
    await expect(page.getByText("1 failed, 1 skipped")).toBeVisible();
    await expect(page.getByRole("alert").getByRole("button", { name: "Ask first" })).toBeVisible();
    await page.getByRole("tab", { name: "Output" }).click();
    await expect(page.getByText(/^This run failed, so it has no output\./)).toBeVisible();
    await page.getByRole("button", { name: "Retry failed task" }).click();
    await expect(page.getByText("Waiting for a person")).toBeVisible();
    const retried = page.url();
    await page.getByRole("link", { name: "compare" }).click();
    await expect(page.getByRole("row", { name: /^Status/ })).toContainText("differs");

    // A run that fails again says so, and leads to its neighbours in the list.
    const again = (await api.get(`instances/${retried.split("/").at(-1)!}`)) as unknown as Run;
    await api.post(`tickets/${ticketOf(again)}/reject`, { reason: "Too expensive" });
    await expectStatus(api, again, "FAILED");
    await page.goto(inNew("runs?status=FAILED"));
    await page.getByRole("link", { name: "Two steps" }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: "Run of Two steps: Go" })).toBeVisible();
    await expect(page.getByText("The task failed again, with the same error.")).toBeVisible();
    const others = page.getByRole("navigation", { name: "Other runs" });
    await expect(others.getByRole("button", { name: "Previous" })).toBeDisabled();
    await others.getByRole("link", { name: "Next" }).click();
    await expect(page).toHaveURL(inNew(`runs/${run.workflow_instance_id}?status=FAILED`));
    await expect(page.getByText(/failed again/)).toHaveCount(0);
    await page.keyboard.press("k");
    await expect(page).toHaveURL(`${retried}?status=FAILED`);
    await page.getByRole("link", { name: "← Runs" }).click();
    await expect(page).toHaveURL(inNew("runs?status=FAILED"));
  },
);

test("an ignored failure and reused results are shown as such, and a rerun has the values of the run", async ({
  page,
  newOrganization,
}) => {
  const { at: inNew, api } = await newOrganization("Ignored failures");
  const task = (id: string, name: string, more: object = {}) => ({
    id,
    name,
    instructions: "Do it.",
    kind: "Human",
    input_parameters: [],
    expected_output: [],
    ...more,
  });
  const amount = {
    name: "amount",
    type: "FLOAT",
    description: "Euros",
    required: true,
    source: "human_input",
  };
  const agent = await api.post("workflows", {
    name: "Three steps",
    description: "",
    assignment_rules: [{ rule_type: "Human Feedback", assignment_type: "User", assignee_id: service.user }],
    tasks: [
      task("pay", "Pay", { input_parameters: [amount] }),
      task("check", "Check", { error_policy: "IGNORE" }),
      task("then", "Then"),
    ],
    connections: [],
    dependencies: [
      { from: "pay", to: "check" },
      { from: "check", to: "then" },
    ],
  });
  const { workflow_instance_id: id } = await testRun(api, agent.id);
  // The ticket of the next task opens after the answer to the one before.
  const answer = (run: string, action: string, body: Record<string, unknown>) =>
    expect
      .poll(async () => {
        const { tasks } = (await api.get(`instances/${run}`)) as unknown as Run;
        const ticket = tasks.find((each) => each.status === "WAITING")?.ticket_id;
        return ticket ? (await api.answer("POST", `tickets/${ticket}/${action}`, body)).status() : 0;
      })
      .toBe(200);
  // The inputs of the first task are asked for before its own ticket.
  await answer(String(id), "complete", { answer: { amount: 12.5 } });
  await answer(String(id), "complete", { answer: {} });
  await answer(String(id), "reject", { reason: "Looks wrong" });
  await answer(String(id), "complete", { answer: {} });

  await page.goto(inNew(`runs/${String(id)}?task=check`));
  await expect(page.getByText("2 of 3 completed")).toBeVisible();
  await expect(page.getByText("1 failed and ignored")).toBeVisible();
  const inGraph = page.locator(".react-flow__node", { hasText: "Check" });
  await expect(inGraph.getByText("Failed, ignored")).toHaveAttribute("title", /Looks wrong/);
  await expect(page.getByRole("tabpanel").getByText("Failed, ignored")).toBeVisible();
  const panel = page.getByRole("complementary", { name: "Selected task" });
  await expect(panel.getByText("Failed, ignored", { exact: true })).toBeVisible();
  await expect(panel.getByRole("alert")).toContainText("the run continued without its outputs");
  await picture(page, "run-ignored", ["light", "dark", "phone"]);
  await page.getByRole("tab", { name: "History" }).click();
  await expect(page.getByText("Check: Failed, ignored – Rejected: Looks wrong")).toBeVisible();
  await page.getByRole("tab", { name: "Input" }).click();
  await expect(page.getByRole("tabpanel").getByText("12.5")).toBeVisible();

  await page.getByRole("button", { name: "Run again" }).click();
  const dialog = page.getByRole("dialog", { name: "Run again" });
  await expect(dialog.getByText("so they keep their values: amount.")).toBeVisible();
  await dialog.getByRole("combobox", { name: "Start from" }).click();
  await page.getByRole("option", { name: "Pay" }).click();
  await expect(dialog.getByRole("textbox", { name: "amount" })).toHaveValue("12.5");
  await dialog.getByRole("combobox", { name: "Start from" }).click();
  await page.getByRole("option", { name: "Check" }).click();
  await expect(dialog.getByText("Same draft")).toBeVisible();
  await expect(dialog.getByText(/published/)).toHaveCount(0);
  // The selected task is suggested, and the amount belongs to a task before it.
  const startFrom = dialog.getByRole("combobox", { name: "Start from" });
  await expect(startFrom).toHaveValue("Check");
  await startFrom.click();
  await page.getByRole("option", { name: "Then" }).click();
  await expect(dialog.getByRole("textbox", { name: "amount" })).toHaveCount(0);
  await expect(dialog.getByText("so they keep their values: amount.")).toBeVisible();
  await picture(page, "run-again-later", ["light", "dark", "phone"]);
  await dialog.getByRole("button", { name: "Run again" }).click();
  await expect(page.getByText("0 of 3 completed")).toBeVisible();
  await expect(page.getByText("2 reused")).toBeVisible();
  await expect(panel.getByRole("heading", { name: "Then" })).toBeVisible();
  await answer(page.url().split("/").at(-1)!, "complete", { answer: {} });
  await expect(page.getByText("1 of 3 completed")).toBeVisible();
  await expect(page.locator(".react-flow__node", { hasText: "Pay" }).getByText("Reused")).toBeVisible();
  await page.getByRole("tabpanel").getByRole("button", { name: /Pay/ }).click();
  await expect(panel.getByText("Reused", { exact: true })).toBeVisible();
  await expect(panel.getByText("Result reused from")).toBeVisible();
  await expect(panel.getByText("12.5")).toBeVisible();
  await picture(page, "run-reused", ["light", "phone"]);
  await page.getByRole("link", { name: "compare" }).click();
  const pay = page.getByRole("region", { name: "Pay" });
  await expect(pay.getByText("Reused, same result")).toBeVisible();
  await picture(page, "runs-compared-reused", ["light"]);
  await page.getByText("Differences", { exact: true }).click();
  await expect(pay).toHaveCount(0);
  await page.goBack();
  await page.goBack();
  await page.getByRole("tabpanel").getByRole("button", { name: /Pay/ }).click();
  await panel.getByRole("link", { name: /^the run of / }).click();
  await expect(page).toHaveURL(inNew(`runs/${String(id)}?task=pay`));

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Open in editor" }).click();
  await expect(page.getByRole("textbox", { name: "amount" })).toHaveValue("12.5");
});
