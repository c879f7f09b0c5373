import { at, expect, picture, test, workflow } from "./parley";

test("a tool can be found and called, and an unreachable provider shows its error", async ({ page, api }) => {
  await api.get("members");
  await page.goto(at("tools"));
  await expect(page.getByRole("link", { name: /http/i }).first()).toBeVisible();
  await picture(page, "tools", ["light", "phone"]);
  await page.getByRole("button", { name: "Add provider" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("nowhere");
  await dialog.getByLabel("Server URL").fill("http://127.0.0.1:9/mcp");
  const choose = async (method: string) => {
    await dialog.getByRole("combobox", { name: "Credentials" }).click();
    await page.getByRole("option", { name: method }).click();
  };
  await choose("Username and password");
  await dialog.getByLabel("Username").fill("ada");
  await choose("API key");
  await dialog.getByLabel(/^API key/).fill("secret-key");
  await dialog.getByLabel("Key name").fill("not a header");
  await dialog.getByRole("button", { name: "Add header" }).click();
  await dialog.getByLabel("Name of header 1").fill("X-Tenant");
  await dialog.getByLabel("Value of header 1").fill("acme-1");
  await picture(page, "new-provider");
  await dialog.getByRole("button", { name: "Add provider" }).click();
  await expect(dialog.getByText(/must be the name of a header/i)).toBeVisible();
  await dialog.getByLabel("Key name").fill("X-Key");
  await dialog.getByRole("button", { name: "Add provider" }).click();
  await expect(dialog).toHaveCount(0);
  const row = page.locator(".mantine-Card-root").filter({ hasText: "nowhere" });
  await expect(row.locator("[data-status=FAILED]")).toBeVisible();
  await expect(row.getByText(/API key, header X-Tenant/)).toBeVisible();

  await page.getByLabel("Search tools").fill("http");
  await expect(page).toHaveURL(at("tools?search=http"));
  await page.reload();
  await expect(page.getByLabel("Search tools")).toHaveValue("http");
  await page.getByRole("link", { name: /http/i }).first().click();
  await page.getByLabel("url").first().fill("http://10.0.0.1/");
  await page.getByRole("combobox", { name: "method" }).click();
  await page.getByRole("option", { name: "POST" }).click();
  await page.getByRole("button", { name: "Call tool" }).click();
  await expect(page.locator("main [data-status=FAILED]")).toBeVisible();
  await picture(page, "tool", ["light"]);
});

test("search accepts any word, even one used in the URLs of other pages", async ({ page, api }) => {
  const id = await workflow(api, "Web lookup");
  await page.goto(at("tools"));
  await page.getByLabel("Search tools").fill("all");
  await expect(page).toHaveURL(at("tools?search=all"));
  await page.getByRole("link", { name: "Agents" }).click();
  await page.getByRole("link", { name: "Web lookup", exact: true }).click();
  await page.locator(".react-flow__node").first().click();
  await expect(page.getByRole("combobox", { name: "Tool" })).toBeVisible();
  expect(page.url()).toContain(id);
  await page.goto(at("tools?search=http"));
  await page.getByRole("link", { name: "Tools" }).click();
  await expect(page).toHaveURL(at("tools"));
  await expect(page.getByLabel("Search tools")).toHaveValue("");
});
