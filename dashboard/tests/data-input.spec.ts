import { expect, picture, test } from "./parley";

// Each test has its own organization, so they can run in parallel.
test.describe.configure({ mode: "parallel" });

test("mistakes are reported before they reach the server, and what it refuses leaves the rows", async ({
  page,
  newOrganization,
  complaints,
}) => {
  const { at } = await newOrganization("Mistakes");
  await page.goto(at("data"));
  await page.getByRole("button", { name: "Add data set" }).first().click();
  const dialog = page.getByRole("dialog");
  const choose = (name: string, text: string) =>
    dialog
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  const upload = dialog.getByRole("button", { name: "Upload", exact: true });
  await choose("empty.csv", "");
  await expect(dialog.getByText("The file is empty.")).toBeVisible();
  await expect(upload).toBeDisabled();

  // The proposed name follows the file until the person edits it.
  await expect(dialog.getByLabel("Name")).toHaveValue("empty");
  await choose("orders.csv", `id,amount\n${[..."123456"].map((id) => `${id},${id}0`).join("\n")}`);
  await expect(dialog.getByText("The file is empty.")).toHaveCount(0);
  await expect(dialog.getByLabel("Name")).toHaveValue("orders");
  const preview = dialog.getByRole("table", { name: "First rows" });
  await expect(preview.getByRole("columnheader")).toHaveText(["idwhole number", "amountwhole number"]);
  await expect(dialog.getByText("6 rows, 2 columns")).toBeVisible();
  await expect(preview.getByRole("row")).toHaveCount(6);
  await picture(page, "data-preview", ["light", "dark", "phone"]);
  // The page refuses before the upload the files that the server would refuse.
  await choose("quote.csv", 'id,amount\n1,"ten\n2,20\n');
  await expect(dialog.getByText("Line 2 has a quotation mark that is never closed.")).toBeVisible();
  await expect(preview).toHaveCount(0);
  await expect(upload).toBeDisabled();
  const latin1 = Buffer.from("id,name\n1,Jörg\n", "latin1");
  await dialog
    .locator("input[type=file]")
    .setInputFiles({ name: "latin1.csv", mimeType: "text/csv", buffer: latin1 });
  await expect(dialog.getByText("Line 2 isn’t UTF-8. Save the file as UTF-8.")).toBeVisible();
  await expect(upload).toBeDisabled();
  await choose("header.csv", "id,amount\n");
  await expect(dialog.getByText(/a header but no rows, so the data set will be empty/)).toBeVisible();
  await dialog.getByLabel("Name").fill("Mine");
  await choose("others.csv", "id,amount\n1,10\n2,20\n");
  await expect(preview.getByRole("row")).toHaveCount(3);
  await expect(dialog.getByLabel("Name")).toHaveValue("Mine");
  await upload.click();
  await expect(page.getByText("1–2 of 2 rows")).toBeVisible();

  await page.getByRole("button", { name: "Filter amount" }).click();
  await page.getByLabel("Value of amount").fill("abc");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText(/^Enter a number/)).toBeVisible();
  await picture(page, "data-filter-invalid");
  await page.route(/\/rows\?.*filter/, (route) =>
    route.fulfill({ status: 400, json: { status: 400, error: "Bad request", detail: "Not like this." } }),
  );
  await page.getByLabel("Value of amount").fill("20");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("alert")).toContainText("Not like this.");
  await expect(page.getByRole("cell", { name: "10", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Remove filter: amount = 20" }).click();
  await expect(page.getByText("1–2 of 2 rows")).toBeVisible();
  // The browser reports the refused request.
  complaints.length = 0;
  await page.unrouteAll();
  await page.getByRole("button", { name: "Filter amount" }).click();
  await page.getByLabel("Value of amount").fill("20");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("1–1 of 1 row")).toBeVisible();

  await page.getByRole("button", { name: "Replace file" }).click();
  await choose("prices.csv", "id,price\n7,4229.54\n8,1.5\n");
  await expect(dialog.getByText("New columns: price")).toBeVisible();
  await expect(dialog.getByRole("alert")).toContainText("Columns that the new file lacks: amount");
  await expect(dialog.getByText(/can’t be restored/)).toBeVisible();
  await picture(page, "data-replace", ["light", "dark", "phone"]);
  await dialog.getByRole("button", { name: "Replace rows" }).click();
  await expect(page.getByText(/rows replaced/)).toBeVisible();
  await expect(dialog).toHaveCount(0);
  // The filter went with its column.
  await expect(page.getByText("1–2 of 2 rows")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Remove filter/ })).toHaveCount(0);
  await expect(page.getByRole("cell", { name: "7", exact: true })).toBeVisible();
  // Numbers are found as they are shown.
  await page.getByLabel("Search rows").fill("4,229.54");
  await expect(page.getByText("1–1 of 1 row")).toBeVisible();
  await page.getByRole("tab", { name: "Columns" }).click();
  await expect(page.getByRole("row", { name: /price number 0 2 1\.5 4,229\.54/ })).toBeVisible();
});

test("a name belongs to one data set, and admins change it", async ({ page, newOrganization }) => {
  const { at, api } = await newOrganization("Names");
  await api.post("data-lakes", { name: "Orders", format: "csv" });
  const { data_lake } = (await api.post("data-lakes", { name: "Customers", format: "csv" })) as {
    data_lake: { id: string };
  };
  await page.goto(at(`data/${data_lake.id}`));
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  const dialog = page.getByRole("dialog", { name: "Rename “Customers”" });
  await expect(dialog.getByRole("button", { name: "Rename" })).toBeDisabled();
  await dialog.getByLabel("Name").fill("Orders");
  await expect(dialog.getByText("This name is already in use.")).toHaveCount(1);
  await expect(dialog.getByRole("button", { name: "Rename" })).toBeDisabled();
  await picture(page, "data-rename", ["light", "dark", "phone"]);
  await dialog.getByLabel("Name").fill("Clients");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await expect(page.getByRole("heading", { name: "Clients" })).toBeVisible();
  await page.goto(at("audit-log"));
  await expect(page.getByRole("row", { name: /Renamed data set/ })).toContainText(
    "Name: Customers → Clients",
  );
  // Uploads that were never imported are no changes.
  const uploads = page.getByRole("row", { name: /Started upload of data set/ });
  await expect(uploads).toHaveCount(0);
  await page.getByRole("switch", { name: "Changes only" }).click();
  await expect(uploads).toHaveCount(2);
});
