import { expect, expectStatus, service, test, ticketOf, type Run } from "./parley";

test("a failed run names its error in the list and its task, and is retried at once", async ({
  page,
  newOrganization,
}) => {
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
  const run = (await api.post(`workflows/${String(agent.id)}/test-run?wait_seconds=20`, {
    human_msg: "Go",
  })) as unknown as Run;
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
});
