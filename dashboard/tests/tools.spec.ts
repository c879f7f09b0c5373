import { at, expect, picture, test } from "./parley";

test("a tool is found and tried out, and a provider that does not answer says why", async ({ page, api }) => {
  await api.get("members");
  await page.goto(at("tools"));
  await expect(page.getByRole("link", { name: /http/i }).first()).toBeVisible();
  await picture(page, "tools", ["light", "phone"]);
  await page.getByRole("button", { name: "Add a provider" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("nowhere");
  await dialog.getByLabel("Address of the server").fill("http://10.0.0.1/mcp");
  await dialog.getByRole("button", { name: "Add provider" }).click();
  await expect(dialog.getByText(/address|public|reach/i).last()).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByRole("link", { name: /http/i }).first().click();
  await page.getByLabel("url").first().fill("http://10.0.0.1/");
  await page.getByRole("button", { name: "Call the tool" }).click();
  await expect(page.locator("main [data-status=FAILED]")).toBeVisible();
  await picture(page, "tool", ["light"]);
});
