import { at, expect, picture, start, test, ticketOf } from "./parley";

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

  const payment = await start(api, "Payment callback", {}, 0);
  await page.goto(at(`runs/${payment.workflow_instance_id}?task=payment`));
  await expect(task.getByText("Waits for an event until")).toBeVisible();
  await expect(task.getByRole("button", { name: "Copy URL" })).toBeVisible();
  await api.post(`instances/${payment.workflow_instance_id}/cancel`);
  await api.post(`instances/${review.workflow_instance_id}/cancel`);
});
