import { at, expect, picture, service, test } from "./parley";

test("an API key is created, shown once, works, and is revoked", async ({ page, api }) => {
  await api.get("members");
  await page.goto(`${service.url}/`);
  await page.getByRole("link", { name: "API Keys" }).click();
  await expect(page).toHaveURL(at("api-access"));
  await page.getByRole("button", { name: "Create new API key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Billing integration");
  await dialog.getByLabel("Expiration").fill("2001-01-01T00:00");
  await dialog.getByRole("button", { name: "Generate Key" }).click();
  await expect(dialog.getByText(/future/)).toBeVisible();
  await dialog.getByLabel("Expiration").fill("");
  await dialog.getByRole("combobox", { name: "Team" }).click();
  await page.getByRole("option", { name: "Accounting" }).click();
  await picture(page, "new-api-key", ["light"]);
  await dialog.getByRole("button", { name: "Generate Key" }).click();
  const key = await dialog.getByLabel("API key").inputValue();
  expect(key).toMatch(/^sk-[0-9A-Za-z]{43}$/);
  await expect(dialog.getByLabel("curl command with the new key")).toContainText(key);
  await picture(page, "api-key-shown", ["light"]);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(key)).toHaveCount(0);

  const headers = { Authorization: `Bearer ${key}` };
  const use = () => page.request.post(`${service.url}/developer/api/conversations`, { headers, data: {} });
  expect((await use()).status()).toBe(201);
  await page.reload();
  const row = page.getByRole("row", { name: /Billing integration/ });
  await expect(row).toContainText("Team Accounting");
  await picture(page, "api-access", ["light", "dark", "phone"]);
  await row.getByRole("button", { name: "Revoke Billing integration" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(row).toContainText("Revoked");
  await expect.poll(async () => (await use()).status()).toBe(401);
});
