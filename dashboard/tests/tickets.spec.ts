import { at, expect, expectStatus, picture, service, start, test, ticketOf, type Run } from "./parley";

const TRIP = { human_msg: "To Graz by train", inputs: { destination: "Graz", days: 2, budget: 300 } };

test("a ticket is opened from its link, claimed, answered and done", async ({ page, api, browser }) => {
  const ticketId = ticketOf(await start(api, "Travel request", { human_msg: "To Graz by train" }));

  // From an e-mail: whoever is not signed in comes back to the ticket.
  const theirs = await (await browser.newContext()).newPage();
  await theirs.goto(at(`tickets/${ticketId}`));
  await theirs.getByLabel("E-mail").fill(service.email);
  await theirs.getByLabel("Password", { exact: true }).fill(service.password);
  await theirs.getByRole("button", { name: "Sign in" }).click();
  await expect(theirs.getByRole("heading", { name: "History" })).toBeVisible();
  expect(theirs.url()).toBe(at(`tickets/${ticketId}`));
  await theirs.context().close();

  await page.goto(at("tickets"));
  await expect(page.getByLabel(/waiting/)).toBeVisible();
  await picture(page, "tickets", ["light", "dark", "phone"]);
  await page.goto(at(`tickets/${ticketId}`));
  await page.getByRole("button", { name: "Claim" }).click();
  await expect(page.getByText("In progress")).toBeVisible();
  await page.getByLabel("Comment").fill("Looks fine to me.");
  await page.getByRole("button", { name: "Add comment" }).click();
  await expect(page.getByText("Looks fine to me.")).toBeVisible();
  await page.getByRole("button", { name: "Complete" }).click();
  await expect(page.getByText(/required|missing/i).first()).toBeVisible();
  await picture(page, "ticket", ["light", "dark", "phone"]);
});

test("a ticket is released, handed over, and completed, and its run with it", async ({ page, api }) => {
  const run = await start(api, "Travel request", TRIP);
  await page.goto(at(`tickets/${ticketOf(run)}`));
  await page.getByRole("button", { name: "Claim" }).click();
  await page.getByRole("button", { name: "Release" }).click();
  await expect(page.getByRole("button", { name: "Claim" })).toBeVisible();
  await page.getByRole("button", { name: "Reassign" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Reassign" })).toBeDisabled();
  await dialog.getByRole("combobox", { name: "To" }).click();
  await page.getByRole("option", { name: /demo@parley.example/ }).click();
  await dialog.getByRole("button", { name: "Reassign" }).click();
  await expect(page.getByRole("complementary").getByText("Demo").first()).toBeVisible();
  await page.getByLabel("Yes").check();
  await page.getByRole("textbox", { name: "reference" }).fill("R-42");
  await page.getByRole("button", { name: "Complete" }).click();
  await expect(page.getByRole("heading", { name: "The answer" })).toBeVisible();
  await expect(page.getByText("R-42")).toBeVisible();
  await expectStatus(api, run, "COMPLETED");
});

test("a ticket is rejected with a reason, and its run fails", async ({ page, api }) => {
  const run = await start(api, "Travel request", TRIP);
  await page.goto(at(`tickets/${ticketOf(run)}`));
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("Too expensive");
  await page.getByRole("dialog").getByRole("button", { name: "Reject the ticket" }).click();
  await expect(page.getByText("Too expensive").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Complete" })).toHaveCount(0);
  await expectStatus(api, run, "FAILED");
});

test("a rejected ticket of a task that asks again links to the new ticket, and back", async ({
  page,
  api,
}) => {
  const made = await api.post("workflows", {
    name: "Asks again",
    assignment_rules: [{ rule_type: "Human Feedback", assignment_type: "User", assignee_id: service.user }],
    tasks: [{ id: "sign", kind: "Human", name: "Sign", instructions: "Please sign.", error_policy: "RETRY" }],
  });
  const run = (await api.post(`workflows/${String(made.id)}/test-run?wait_seconds=20`)) as unknown as Run;
  const first = ticketOf(run);
  await page.goto(at(`tickets/${first}`));
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("Not yet");
  await page.getByRole("dialog").getByRole("button", { name: "Reject the ticket" }).click();
  await expect(page.getByText("Closed").first()).toBeVisible();
  await expect(page.getByText("The task asks again in a new ticket.")).toBeVisible();
  await expect(page.getByRole("link", { name: "a new one" })).toBeVisible();
  await page.getByRole("link", { name: "Show the new ticket" }).click();
  await expect(page.getByRole("button", { name: "Complete" })).toBeVisible();
  await page.getByRole("link", { name: "Show the rejected ticket" }).click();
  await expect(page.getByText("Not yet").first()).toBeVisible();
  expect(page.url()).toBe(at(`tickets/${first}`));
  await expectStatus(api, run, "PAUSED");
});

test("an exception is answered with outputs, raised, or retried", async ({ page, api }) => {
  const failing = { human_msg: "Look", inputs: { url: "http://10.0.0.1/" } };
  const supplied = await start(api, "Web lookup", failing);
  await page.goto(at(`tickets/${ticketOf(supplied)}`));
  await expect(page.getByRole("heading", { name: "Supply the outputs yourself" })).toBeVisible();
  await picture(page, "exception");
  await page.getByRole("textbox", { name: "status" }).fill("200");
  await page.getByRole("textbox", { name: "body" }).fill("A page about trains");
  await page.getByRole("button", { name: "Complete" }).click();
  await expectStatus(api, supplied, "COMPLETED");

  const raised = await start(api, "Web lookup", failing);
  await page.goto(at(`tickets/${ticketOf(raised)}`));
  await page.getByRole("button", { name: "Retry the task" }).click();
  await expect(page.getByText("The task runs again.")).toBeVisible();
  await expectStatus(api, raised, "PAUSED");
  const again = (await api.get(`instances/${raised.workflow_instance_id}`)) as unknown as typeof raised;
  await page.goto(at(`tickets/${ticketOf(again)}`));
  await page.getByRole("button", { name: "Raise: let the run fail" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("The page is gone");
  await page.getByRole("dialog").getByRole("button", { name: "Reject the ticket" }).click();
  await expectStatus(api, raised, "FAILED");
});

test("a ticket is answered with a file of one's own", async ({ page, api }) => {
  const run = await start(api, "Meeting minutes", { human_msg: "We met." });
  await page.goto(at(`tickets/${ticketOf(run)}`));
  const choose = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload a file for file" }).click();
  const buffer = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");
  // While it is on its way, there is no answer yet.
  let go = () => {};
  const held = new Promise<void>((done) => (go = done));
  await page.route(/signed\.pdf/, async (route) => {
    await held;
    await route.continue();
  });
  await (await choose).setFiles({ name: "signed.pdf", mimeType: "application/pdf", buffer });
  await expect(page.getByRole("button", { name: "Complete" })).toBeDisabled();
  go();
  await expect(page.getByRole("link", { name: /signed\.pdf$/ })).toBeVisible();
  await page.getByLabel("approved_at").fill("2029-03-01T10:00");
  await picture(page, "ticket-file");
  await page.getByRole("button", { name: "Complete" }).click();
  await expect(page.getByText(/is completed; the run goes on/)).toBeVisible();
  await expectStatus(api, run, "COMPLETED");
});

test("a ticket that is not there leads back to where there are some", async ({ page, api }) => {
  await api.get("members");
  await page.goto(at("tickets/01a20048681e700087bf057f9da3941c"));
  await expect(page.getByRole("heading", { name: "There is no such page" })).toBeVisible();
  await page.getByRole("link", { name: "Go to the start" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
});
