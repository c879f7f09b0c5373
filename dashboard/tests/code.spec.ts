import { at, expect, picture, test } from "./parley";

test("code is created, tested and saved as a new version", async ({ page, api }) => {
  // Code runs behind everything else, so its start waits while the other browsers use both cores.
  test.setTimeout(180_000);
  await api.get("members");
  await page.goto(at("code"));
  await page.getByRole("button", { name: "New code" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Greeting");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("textbox", { name: "Source" })).toContainText("export default", {
    timeout: 100_000,
  });
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByLabel("result", { exact: true })).toContainText("Hello Ada", { timeout: 100_000 });
  await picture(page, "code", ["light", "dark"]);
  const save = page.getByRole("button", { name: "Save as new version" });
  await expect(save).toBeDisabled();
  await page.getByRole("textbox", { name: "Source" }).press("Control+End");
  await page.keyboard.type("// better");
  await save.click();
  await expect(page.getByRole("combobox", { name: "Version" })).toHaveValue("Version 2", {
    timeout: 100_000,
  });
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete code" }).click();
  await expect(page.getByText("“Greeting” deleted.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Greeting" })).toHaveCount(0);
});
