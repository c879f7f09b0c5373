import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { at, dialog, expectCount, expectGone, open, problem } from "./app";

const LAKE = {
  id: "0192f0c1a2b37c4d8e5f60718293a4f1",
  name: "Orders",
  format: "csv",
  status: "READY",
  columns: [],
  rows: 1,
};

/** Chooses a file in the dialog. */
const choose = (name: string, content: BlobPart) =>
  userEvent.upload(dialog().css("input[type=file]"), new File([content], name, { type: "text/csv" }));

test("mistakes in a file are reported before it is uploaded, and its first rows are shown", async () => {
  await open(at("data?dialog=add-data"), { "GET data-lakes": { items: [LAKE], next: null } });
  const upload = dialog().getByRole("button", { name: "Upload", exact: true });
  const name = dialog().getByLabelText("Name");
  const preview = dialog().css('table[aria-label="First rows"]');
  await choose("empty.csv", "");
  await expect.element(dialog().getByText("The file is empty.")).toBeVisible();
  await expect.element(upload).toBeDisabled();

  // The proposed name follows the file until the person edits it; a name belongs to one data set.
  await expect.element(name).toHaveValue("empty");
  await choose("Orders.csv", `id,amount\n${[..."123456"].map((id) => `${id},${id}0`).join("\n")}`);
  await expectGone(dialog().getByText("The file is empty."));
  await expect.element(name).toHaveValue("Orders");
  await expect.element(dialog().getByText("This name is already in use.")).toBeVisible();
  await expect.element(upload).toBeDisabled();
  await expect.element(dialog()).toHaveTextContent("6 rows, 2 columns");
  await expect
    .poll(() =>
      preview
        .css("th")
        .elements()
        .map((each) => each.textContent),
    )
    .toEqual(["idwhole number", "amountwhole number"]);
  await expectCount(preview.css("tr"), 6);

  // The page refuses before the upload the files that the server would refuse.
  await choose("quote.csv", 'id,amount\n1,"ten\n2,20\n');
  await expect.element(dialog().getByText("Line 2 has a quotation mark that is never closed.")).toBeVisible();
  await expectGone(preview);
  await expect.element(upload).toBeDisabled();
  await choose(
    "latin1.csv",
    Uint8Array.from("id,name\n1,J\xf6rg\n", (each) => each.charCodeAt(0)),
  );
  await expect.element(dialog().getByText("Line 2 isn’t UTF-8. Save the file as UTF-8.")).toBeVisible();
  await expect.element(upload).toBeDisabled();
  await choose("header.csv", "id,amount\n");
  await expect
    .element(dialog().getByText(/a header but no rows, so the data set will be empty/))
    .toBeVisible();
  await name.fill("Mine");
  await choose("others.csv", "id,amount\n1,10\n2,20\n");
  await expectCount(preview.css("tr"), 3);
  await expect.element(name).toHaveValue("Mine");
  await expect.element(upload).toBeEnabled();
});

test("the person sees why columns stay text, and chooses the sheet and the types before the import", async () => {
  const preview = {
    rows: 2,
    columns: [
      {
        name: "code",
        type: "VARCHAR",
        note: "Kept as text: '007' (row 2) has a leading zero.",
        chosen: null,
        samples: ["007", "12"],
      },
      { name: "price", type: "VARCHAR", note: null, chosen: null, samples: ["1,5"] },
    ],
    sheets: ["Orders", "Customers"],
    notes: ["Row 1 ('Report') is above the header and is not part of the table."],
  };
  const lake = `data-lakes/${LAKE.id}`;
  const sent: unknown[] = [];
  const upload = { upload_url: "data:,stored", method: "GET", headers: {} };
  await open(at("data?dialog=add-data"), {
    "POST data-lakes": { data_lake: { ...LAKE, status: "PENDING" }, upload },
    [`POST ${lake}/preview`]: async (request: Request) => {
      const options = (await request.json()) as { sheet?: string; types?: Record<string, string> };
      sent.push(options);
      return options.types?.code === "boolean"
        ? problem(400, "Row 2: '007' in the column 'code' is neither true nor false.")
        : preview;
    },
    [`POST ${lake}/import`]: async (request: Request) => {
      sent.push(await request.json());
      return LAKE;
    },
    [`GET ${lake}`]: LAKE,
  });
  await choose("orders.xlsx", "PK");
  await dialog().getByRole("button", { name: "Upload", exact: true }).click();

  await expect.element(dialog().getByText(/'007' \(row 2\) has a leading zero/)).toBeVisible();
  await expect.element(dialog().getByText(/Row 1 \('Report'\) is above the header/)).toBeVisible();
  await expect.element(dialog()).toHaveTextContent("007, 12");
  const type = async (column: string, label: string) => {
    await dialog().getByLabelText(`Type of ${column}`).click();
    await page.getByRole("option", { name: label, exact: true }).click();
  };
  await type("code", "yes/no");
  await dialog().getByRole("button", { name: "Import", exact: true }).click();
  await expect.element(dialog().getByText(/is neither true nor false/)).toBeVisible();

  await type("code", "text");
  await dialog().getByLabelText("Sheet").click();
  await page.getByRole("option", { name: "Customers" }).click();
  await type("price", "number with a decimal comma");
  await dialog().getByRole("button", { name: "Import", exact: true }).click();
  await expect.poll(() => sent.length).toBe(5);
  const options = { sheet: "Customers", types: { price: "number_comma" } };
  expect(sent).toEqual([{}, { types: { code: "boolean" } }, { sheet: "Customers" }, options, options]);
});

const UPLOAD = { upload_url: "data:,stored", method: "GET", headers: {} };
const PREVIEW = {
  rows: 1,
  columns: [{ name: "price", type: "DOUBLE", note: null, chosen: null, samples: ["1.5"] }],
  sheets: ["Orders", "Empty"],
  notes: [],
};
const chooseSheet = async (name: string) => {
  await dialog().getByLabelText("Sheet", { exact: true }).click();
  await page.getByRole("option", { name }).click();
};

test("another sheet can be chosen when the first one is refused", async () => {
  const lake = `data-lakes/${LAKE.id}`;
  const imported: unknown[] = [];
  await open(at("data?dialog=add-data"), {
    "POST data-lakes": { data_lake: { ...LAKE, status: "PENDING" }, upload: UPLOAD },
    [`POST ${lake}/preview`]: async (request: Request) =>
      "sheet" in ((await request.json()) as object)
        ? PREVIEW
        : problem(400, "The sheet is empty: it has no header row.", { sheets: ["Empty", "Orders"] }),
    [`POST ${lake}/import`]: async (request: Request) => {
      imported.push(await request.json());
      return LAKE;
    },
    [`GET ${lake}`]: LAKE,
  });
  await choose("orders.xlsx", "PK");
  await dialog().getByRole("button", { name: "Upload", exact: true }).click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("This sheet can’t be imported");
  await expect.element(dialog().getByRole("button", { name: "Import", exact: true })).toBeDisabled();
  await chooseSheet("Orders");
  await expectGone(dialog().getByRole("alert"));
  await dialog().getByRole("button", { name: "Import", exact: true }).click();
  await expect.poll(() => imported).toEqual([{ sheet: "Orders" }]);
});

test("a new file is read with the sheet and the types of the last import, unless they don’t fit", async () => {
  const column = { name: "price", type: "DOUBLE", note: null, chosen: "number_comma" };
  const lake = { ...LAKE, format: "xlsx", sheet: "Sales", columns: [column], notes: [] };
  const replace = `data-lakes/${LAKE.id}/replace`;
  const sent: unknown[] = [];
  await open(at(`data/${LAKE.id}?dialog=replace-file`), {
    [`GET data-lakes/${LAKE.id}`]: lake,
    [`GET data-lakes/${LAKE.id}/rows`]: { columns: [], rows: [], total: 0 },
    [`POST ${replace}/upload`]: UPLOAD,
    [`POST ${replace}/preview`]: async (request: Request) => {
      const options = (await request.json()) as { sheet?: string; types?: object };
      sent.push(options);
      if (!options.sheet) {
        return problem(400, "The workbook has no sheet 'Sales'.", { sheets: ["Empty", "Orders"] });
      }
      return options.types
        ? PREVIEW
        : problem(400, "Row 2: '1.5' in the column 'price' is not a number.", { sheets: PREVIEW.sheets });
    },
    [`POST ${replace}`]: async (request: Request) => {
      sent.push(await request.json());
      return lake;
    },
  });
  await expect
    .element(dialog().getByText(/the sheet “Sales” and the types that were chosen for price again/))
    .toBeVisible();
  await choose("orders.xlsx", "PK");
  await dialog().getByRole("button", { name: "Replace rows" }).click();
  await expect.element(dialog().getByText("The workbook has no sheet 'Sales'.")).toBeVisible();
  await chooseSheet("Orders");
  await expect.element(dialog().getByText(/The types of the last import don’t fit/)).toBeVisible();
  await expect.element(dialog().getByText(/Row 2: '1.5' in the column 'price'/)).toBeVisible();
  await dialog().getByRole("button", { name: "Import", exact: true }).click();
  await expect.poll(() => sent.length).toBe(5);
  const format = "xlsx";
  expect(sent).toEqual([
    { format },
    { format, types: {} },
    { format, sheet: "Orders" },
    { format, sheet: "Orders", types: {} },
    { format, sheet: "Orders", types: {}, allow_breaking: false },
  ]);
});
