import { at, expect, picture, test, workflow } from "./parley";

test("the overview shows activity and limits", async ({ page, api }) => {
  const id = await workflow(api, "Travel request");
  const run = await api.post(`workflows/${id}/test-run?wait_seconds=20`, { human_msg: "To Graz" });
  await api.post(`instances/${String(run.workflow_instance_id)}/cancel`);
  const conversation = await api.post("conversations", {});
  await api.post(`conversations/${String(conversation.id)}/messages`, { content: "Hello" });
  await expect
    .poll(async () => {
      const { usage } = (await api.get("overview")) as { usage: { total: Record<string, number> } };
      const { messages_sent, runs_cancelled } = usage.total;
      return messages_sent! > 0 && runs_cancelled! > 0;
    })
    .toBe(true);
  await page.goto(at("overview"));
  await expect(page.getByText("No AI model is connected")).toBeVisible();
  const messages = page.getByRole("slider", { name: "Messages" });
  await messages.focus();
  await page.keyboard.press("End");
  await expect(messages).toHaveAttribute("aria-valuetext", /Received: [1-9]/);
  const runs = page.getByRole("slider", { name: /Runs/ });
  await expect(runs).toHaveAttribute("aria-valuetext", /Cancelled: [1-9]/);
  await expect(page.getByText(/^\d+ of 100$/)).toBeVisible();
  await picture(page, "overview", ["light", "dark", "phone"]);
  await page.getByText("30 days", { exact: true }).click();
  await expect(page).toHaveURL(at("overview?hours=720"));
  await expect(messages).toHaveAttribute("aria-valuetext", /UTC/);
});

test("the checklist of a new organization ticks itself and can be dismissed", async ({
  page,
  newOrganization,
}) => {
  const fresh = await newOrganization("Checklist");
  await page.goto(fresh.at("overview"));
  await expect(page.getByRole("heading", { name: "Getting started: 0 of 5 done" })).toBeVisible();
  await picture(page, "overview-empty", ["light", "dark", "phone"]);
  await fresh.api.post("api-keys", { name: "First" });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Getting started: 1 of 5 done" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Create an API key" })).toContainText("Done:");
  await page.getByRole("button", { name: "Dismiss getting started" }).click();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Limits" })).toBeVisible();
  await expect(page.getByText("Getting started")).toHaveCount(0);
});
