import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { at, dialog, expectCount, expectGone, open } from "./app";

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
