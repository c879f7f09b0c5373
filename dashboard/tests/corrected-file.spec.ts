import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, picture, test } from "./parley";

test("a file that is corrected after a failed upload is chosen again in the same dialog", async ({
  page,
  newOrganization,
}, info) => {
  const { at, api } = await newOrganization("Corrections");
  const path = info.outputPath("orders.csv");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "a,b\n1,2\n3,4,5\n");
  await page.goto(at("data"));
  await page.getByRole("button", { name: "Add data set" }).first().click();
  const dialog = page.getByRole("dialog");
  const upload = dialog.getByRole("button", { name: "Upload", exact: true });
  const choose = async () => {
    const chooser = page.waitForEvent("filechooser");
    await dialog.getByRole("button", { name: "File" }).click();
    await (await chooser).setFiles(path);
  };
  await choose();
  await upload.click();
  await expect(dialog.getByText("Line 3 has 3 values, but the header has 2 columns.")).toBeVisible({
    timeout: 40_000,
  });
  // The browser compares the time of the change.
  await new Promise((done) => setTimeout(done, 1_100));
  writeFileSync(path, "a,b\n1,2\n3,45\n");
  await upload.click();
  await expect(dialog.getByText("orders.csv has changed since you chose it. Choose it again.")).toBeVisible();
  await picture(page, "data-file-changed");
  expect((await api.get("data-lakes")).items).toEqual([]);
  await choose();
  await expect(dialog.getByText(/has changed/)).toHaveCount(0);
  await upload.click();
  await expect(page.getByRole("heading", { name: "orders" })).toBeVisible({ timeout: 40_000 });
});
