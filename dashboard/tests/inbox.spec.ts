import { invoices } from "./invoices";
import { expect, picture, test } from "./parley";

test(
  "the inbox tells tickets apart, is worked through by keys, and changes several at once",
  { tag: "@gate" },
  async ({ page, newOrganization }) => {
    const office = await newOrganization("Accounting");
    const [acme, , corner] = await invoices(office.api, "ACME", "Zenith", "Corner shop");
    await page.goto(office.at("tickets"));
    const rows = page.getByRole("list", { name: "Tickets" }).getByRole("listitem");
    // The tickets are those of test runs, which are listed and counted only on request.
    await expect(page.getByRole("heading", { name: "All clear" })).toBeVisible();
    await expect(page.getByRole("radio", { name: "For me 0" })).toBeChecked();
    await page.getByLabel("Include tests").click();
    await expect(rows).toHaveCount(3);
    await expect(rows.first()).toContainText("#1 Approve invoice");
    await expect(rows.first()).toContainText("supplier: ACME");
    await expect(rows.first().getByText("Test", { exact: true })).toBeVisible();
    await expect(
      page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: /^Tickets/ }),
    ).toHaveText("Tickets");
    await expect(rows.first()).toContainText(/Due in \d+ min/);
    await expect(page.getByRole("radio", { name: "For me 3" })).toBeChecked();

    await page.getByLabel("Search tickets").fill("zen");
    await expect(rows).toHaveCount(1);
    await expect(page).toHaveURL(/search=zen/);
    await page.getByLabel("Search tickets").fill("#9");
    await expect(page.getByRole("heading", { name: "No open tickets match “#9” here" })).toBeVisible();
    await page.getByRole("button", { name: "Clear the search" }).click();
    await expect(rows).toHaveCount(3);
    await page.getByRole("combobox", { name: "Sort by" }).click();
    await page.getByRole("option", { name: "Oldest first" }).click();
    await expect(rows.first()).toContainText("supplier: ACME");

    await page.emulateMedia({ media: "print" });
    await expect(rows.first()).toContainText("supplier: ACME");
    await expect(page.getByRole("checkbox")).toHaveCount(0);
    await expect(page.getByRole("radio")).toHaveCount(0);
    await expect(page.getByText("No email server is set up")).toBeHidden();
    await page.emulateMedia({ media: "screen" });

    await page.getByRole("checkbox", { name: "Select ticket #1" }).check();
    await page.getByRole("checkbox", { name: "Select ticket #2" }).check();
    await picture(page, "tickets-selected", ["light", "dark", "phone"]);
    await page.getByRole("button", { name: "Claim 2 tickets" }).click();
    await expect(rows.first()).toContainText("Claimed by you");
    await expect(rows.first().getByRole("link")).toBeFocused();

    await page.keyboard.press("j");
    await expect(rows.nth(1).getByRole("link")).toBeFocused();
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`tickets/${acme}\\?.*sort=oldest`));
    await expect(page.getByText("1 of 3")).toBeVisible();
    await page.keyboard.press("j");
    await expect(page.getByText("2 of 3")).toBeVisible();
    await expect(page.getByRole("heading", { name: "#2 Approve invoice" })).toBeVisible();
    await page.keyboard.press("j");
    await expect(page.getByText("3 of 3")).toBeVisible();
    await page.keyboard.press("c");
    await expect(page.locator('[data-status="IN_PROGRESS"]')).toHaveText("Claimed");
    await page.keyboard.press("e");
    await expect(page.getByLabel("Yes")).toBeFocused();
    await page.keyboard.press("n");
    await expect(page.getByLabel("No", { exact: true })).toBeChecked();
    await page.keyboard.press("y");
    await expect(page.getByLabel("Yes")).toBeChecked();
    await page.getByLabel("amount").fill("1,234");
    await page.getByLabel("note").fill("All fine.");
    await page.getByRole("button", { name: "Complete" }).click();
    await expect(page.getByText("This could be 1234 or 1.234.")).toBeVisible();
    await expect(page.getByLabel("amount")).toBeFocused();
    await page.getByLabel("amount").fill("12,5");
    await page.getByLabel("Comment").fill("Checked against the order.");
    await expect(page.getByText("Your comment is posted, too.")).toBeVisible();
    await page.getByLabel("note").press("Control+Enter");
    const next = page.getByRole("link", { name: "Next ticket: #1 Approve invoice" });
    await expect(next).toBeFocused();
    await expect(page.getByText("12.5")).toBeVisible();
    await expect(page.getByText("Checked against the order.")).toBeVisible();
    await expect(page.getByLabel("Comment")).toHaveValue("");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(String(acme)));
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog").getByText("Edit the answer")).toBeVisible();
    expect((await office.api.get(`tickets/${corner}`)).answer).toMatchObject({
      approved: true,
      amount: 12.5,
    });

    // Unclaimed tickets are not done, and what has ended cannot be selected.
    await page.goto(office.at("tickets?status=done&assignee=all&tests=true"));
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText("CompletedBy you");
    await expect(page.getByRole("combobox", { name: "Sort by" })).toHaveValue("Last finished");
    await expect(page.getByRole("radio")).toHaveCount(2);
    await expect(page.getByRole("checkbox", { name: /^Select/ })).toHaveCount(0);
    await picture(page, "tickets-done", ["light", "phone"]);
  },
);

test("several tickets are released, and rejected with one reason", async ({ page, newOrganization }) => {
  const office = await newOrganization("Purchasing");
  const [acme, zenith, corner] = await invoices(office.api, "ACME", "Zenith", "Corner shop");
  await office.api.post("teams", { name: "Finance" });
  await page.goto(office.at("tickets?tests=true"));
  const rows = page.getByRole("list", { name: "Tickets" }).getByRole("listitem");
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await expect(page.getByRole("button", { name: "Release" })).toBeDisabled();
  await page.getByRole("button", { name: "Claim 3 tickets" }).click();
  await expect(rows.filter({ hasText: "Claimed by you" })).toHaveCount(3);
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await expect(page.getByRole("button", { name: "Claim", exact: true })).toHaveAttribute(
    "title",
    "The selected tickets are already claimed.",
  );
  await page.getByRole("button", { name: "Release 3 tickets" }).click();
  await expect(page.getByText("3 tickets released.")).toBeVisible();
  await expect(rows.filter({ hasText: "Claimed by you" })).toHaveCount(0);
  // Each of the two notifications reverses its action.
  const undo = async (message: string) => {
    const done = page.getByRole("alert").filter({ hasText: message });
    await done.getByRole("button", { name: "Undo" }).click();
    await expect(done).toBeHidden();
  };
  await undo("3 tickets released.");
  await expect(rows.filter({ hasText: "Claimed by you" })).toHaveCount(3);
  await undo("3 tickets claimed.");
  await expect(rows.filter({ hasText: "Claimed by you" })).toHaveCount(0);
  const assignments = async () => (await office.api.get(`tickets/${corner}`)).assignments;
  const assigned = await assignments();
  await page.getByRole("checkbox", { name: "Select ticket #3" }).check();
  await page.getByRole("button", { name: "Reassign #3" }).click();
  await page.getByRole("dialog").getByRole("combobox", { name: "Assign to" }).click();
  await page.getByRole("option", { name: "Finance" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reassign" }).click();
  await expect(page.getByText("1 ticket reassigned.")).toBeVisible();
  expect(await assignments()).not.toEqual(assigned);
  await undo("1 ticket reassigned.");
  await expect.poll(assignments).toEqual(assigned);

  await page.getByRole("checkbox", { name: "Select ticket #3" }).check();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("checkbox", { name: "Select ticket #3" })).not.toBeChecked();
  await expect(page.getByRole("toolbar", { name: "Selected tickets" })).toHaveCount(0);
  await page.getByRole("checkbox", { name: "Select ticket #1" }).check();
  await page.getByRole("checkbox", { name: "Select ticket #2" }).check();
  await page.getByRole("button", { name: "Reject 2 tickets" }).click();
  const dialog = page.getByRole("dialog", { name: "Reject 2 tickets?" });
  await dialog.getByLabel("Reason").fill("Sent twice");
  await dialog.getByRole("button", { name: "Reject" }).click();
  await expect(rows).toHaveCount(1);
  for (const id of [acme, zenith]) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await office.api.get(`tickets/${id}`)).toMatchObject({ status: "REJECTED", reason: "Sent twice" });
  }
  // A search that finds nothing here leads to where it does.
  await page.getByLabel("Search tickets").fill("#1");
  await page.getByRole("button", { name: "Show 1 match in done tickets" }).click();
  await expect(rows).toContainText("#1 Approve invoice");
  await expect(page.getByLabel("Search tickets")).toHaveValue("#1");
  await page.goto(office.at("tickets?tests=true"));
  // A click beside the title opens the ticket.
  const row = (await rows.first().boundingBox())!;
  await page.mouse.click(row.x + row.width - 20, row.y + row.height / 2);
  await expect(page).toHaveURL(office.at(`tickets/${corner}?tests=true`));
});
