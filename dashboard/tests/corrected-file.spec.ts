import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
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
  await expect(dialog.getByText("Line 3 has 3 values, but the header has 2 columns.")).toBeVisible();
  writeFileSync(path, "a,b\n1,2\n3,45\n");
  // The browser compares the time of the change.
  utimesSync(path, new Date(), new Date(Date.now() + 60_000));
  await upload.click();
  await expect(dialog.getByText("orders.csv has changed since you chose it. Choose it again.")).toBeVisible();
  await picture(page, "data-file-changed");
  expect((await api.get("data-lakes")).items).toEqual([]);
  await choose();
  await expect(dialog.getByText(/has changed/)).toHaveCount(0);
  await upload.click();
  await expect(page.getByRole("heading", { name: "orders" })).toBeVisible();
});

test("a binary file named .csv is refused before its upload, and shows no rubbish", async ({
  page,
  newOrganization,
}) => {
  const { at } = await newOrganization("Binary files");
  await page.goto(at("data"));
  await page.getByRole("button", { name: "Add data set" }).first().click();
  const dialog = page.getByRole("dialog");
  const upload = dialog.getByRole("button", { name: "Upload", exact: true });
  const rows = dialog.getByRole("table", { name: "First rows" });
  const choose = (name: string, text: string) =>
    dialog
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await choose("archive.csv", "PK\x03\x04\x14\x00\x00\x00archive");
  await expect(dialog.getByText("The file isn’t UTF-8 text, so it isn’t CSV.")).toBeVisible();
  await expect(rows).toHaveCount(0);
  await expect(upload).toBeDisabled();
  await picture(page, "data-binary", ["light", "phone"]);
  await choose("pic.png", "a,b\n1,2\n");
  await expect(dialog.getByText(/belongs to no supported format\. Choose a CSV, JSON Lines/)).toBeVisible();
  await expect(upload).toBeDisabled();
  // A CSV file may have any extension.
  await dialog.getByRole("combobox", { name: "Format" }).click();
  await page.getByRole("option", { name: "CSV" }).click();
  await expect(rows).toBeVisible();
  await expect(upload).toBeEnabled();
  await choose("orders.csv", "a,b\n1,2\n");
  await expect(rows).toBeVisible();
  await expect(upload).toBeEnabled();
});
