import { at, expect, expectStatus, picture, start, test } from "./parley";

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
  await expect(page.getByText(/^Running, \d+ s$/)).toBeVisible();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(page.getByText(/^Stopped\./)).toBeVisible();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const result = page.getByLabel("result", { exact: true });
  await expect(result).toContainText("Hello Ada", { timeout: 100_000 });
  // The result is below the editor, and the contract stays beside it.
  const top = async (name: string) =>
    (await page.getByRole("heading", { name, exact: true }).boundingBox())!.y;
  const source = (await page.locator(".cm-editor").boundingBox())!;
  expect((await result.boundingBox())!.y).toBeGreaterThan(source.y + source.height);
  expect(await top("Used by")).toBeLessThan(source.y + source.height);
  await picture(page, "code", ["light", "dark"]);
  const save = page.getByRole("button", { name: "Save as new version" });
  await expect(save).toBeDisabled();
  await page.getByRole("textbox", { name: "Source" }).press("Control+End");
  await page.keyboard.type("// better");
  const outdated = page.getByText("The code has changed since this run.");
  await expect(outdated).toBeVisible();
  const values = page.getByRole("textbox", { name: "Test values" });
  await values.fill('{"name": "Bo"}');
  await page.getByRole("textbox", { name: "Source" }).focus();
  const lines = await page.locator(".cm-line").count();
  await page.keyboard.press("Control+Enter");
  await expect(result).toContainText("Hello Bo", { timeout: 100_000 });
  await expect(page.locator(".cm-line")).toHaveCount(lines);
  await expect(outdated).toHaveCount(0);
  await save.click();
  await expect(page.getByRole("combobox", { name: "Version" })).toHaveValue("Version 2", {
    timeout: 100_000,
  });
  await expect(values).toHaveValue('{"name": "Bo"}');
  await expect(result).toContainText("Hello Bo");
  await expect(outdated).toHaveCount(0);
  await page.reload();
  await expect(values).toHaveValue('{"name": "Bo"}');
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete code" }).click();
  await page.getByRole("button", { name: "Delete code" }).click();
  await expect(page.getByText("“Greeting” deleted.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Greeting" })).toHaveCount(0);
});

test("the demo's report runs its own code, which names the agent", async ({ page, api }) => {
  test.setTimeout(180_000);
  const run = await start(api, "Currency report", { human_msg: "Convert", inputs: { amount: 116 } });
  await page.goto(at("code"));
  const row = page.getByRole("row", { name: /Currency conversion/ });
  await expect(row.getByRole("link", { name: "Currency report" })).toBeVisible();
  await row.getByRole("link", { name: "Currency conversion" }).click();
  await expect(page.getByLabel("Name of input 2")).toHaveValue("amount");
  await expect(page.getByRole("textbox", { name: "Test values" })).toHaveValue(/"amount": 1.5/);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete code" }).click();
  await expect(page.getByRole("region", { name: "Used by" })).toContainText("Currency report");
  await page.getByRole("button", { name: "Delete code" }).click();
  await expect(page.getByText(/Published workflows use this code artifact: 'Currency report'/)).toBeVisible();
  await expectStatus(api, run, "COMPLETED");
});
