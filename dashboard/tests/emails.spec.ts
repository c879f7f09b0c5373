import { at, expect, picture, test, workflow } from "./parley";

test("the email about a ticket can be read", async ({ page, api }) => {
  await api.get("members");
  const id = await workflow(api, "Travel request");
  await api.post(`workflows/${id}/test-run?wait_seconds=20`, { human_msg: "To Graz by train" });
  await page.goto(at("emails"));
  const mail = page.getByRole("link", { name: /Plan the journey/ }).first();
  await expect(mail).toBeVisible({ timeout: 20_000 });
  await picture(page, "emails");
  await mail.click();
  await expect(page.getByLabel("Email text")).toContainText("Plan the journey");
});
