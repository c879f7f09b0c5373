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
