import { at, expect, expectStatus, picture, service, start, test, ticketOf, type Run } from "./parley";

const TRIP = { human_msg: "To Graz by train", inputs: { destination: "Graz", days: 2, budget: 300 } };

test("a ticket is opened from a link, claimed and commented on", async ({ page, api, browser }) => {
  const ticketId = ticketOf(await start(api, "Travel request", { human_msg: "To Graz by train" }));

  // From an email, without a session: sign-in returns to the ticket.
  const theirs = await (await browser.newContext()).newPage();
  await theirs.goto(at(`tickets/${ticketId}`));
  await theirs.getByLabel("Email").fill(service.email);
  await theirs.getByLabel("Password", { exact: true }).fill(service.password);
  await theirs.getByRole("button", { name: "Sign in" }).click();
  await expect(theirs.getByRole("heading", { name: "History", exact: true })).toBeVisible();
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

test("a ticket is released, reassigned and completed, and its run completes", async ({ page, api }) => {
  const run = await start(api, "Travel request", TRIP);
  await page.goto(at(`tickets/${ticketOf(run)}`));
  await page.getByRole("button", { name: "Claim" }).click();
  await page.getByRole("button", { name: "Release" }).click();
  await expect(page.getByRole("button", { name: "Claim" })).toBeVisible();
  await page.getByRole("button", { name: "Reassign" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Reassign" })).toBeDisabled();
  await dialog.getByRole("combobox", { name: "Assign to" }).click();
  await page.getByRole("option", { name: /demo@parley.example/ }).click();
  await dialog.getByRole("button", { name: "Reassign" }).click();
  await expect(page.getByRole("complementary").getByText("Demo").first()).toBeVisible();
  await page.getByLabel("Yes").check();
  await page.getByRole("textbox", { name: "reference" }).fill("R-42");
  await page.getByRole("button", { name: "Complete" }).click();
  await expect(page.getByRole("heading", { name: "Answer", exact: true })).toBeVisible();
  await expect(page.getByText("R-42")).toBeVisible();
  await expectStatus(api, run, "COMPLETED");
});

test("rejecting a ticket with a reason fails its run", async ({ page, api }) => {
  const run = await start(api, "Travel request", TRIP);
  await page.goto(at(`tickets/${ticketOf(run)}`));
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("Too expensive");
  await page.getByRole("dialog").getByRole("button", { name: "Reject ticket" }).click();
  await expect(page.getByText("Too expensive").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Complete" })).toHaveCount(0);
  await expectStatus(api, run, "FAILED");
});

test("a rejected ticket and the new ticket of a retried task link to each other", async ({ page, api }) => {
  const created = await api.post("workflows", {
    name: "Asks again",
    assignment_rules: [{ rule_type: "Human Feedback", assignment_type: "User", assignee_id: service.user }],
    tasks: [{ id: "sign", kind: "Human", name: "Sign", instructions: "Please sign.", error_policy: "RETRY" }],
  });
  const run = (await api.post(`workflows/${String(created.id)}/test-run?wait_seconds=20`)) as unknown as Run;
  const first = ticketOf(run);
  await page.goto(at(`tickets/${first}`));
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("Not yet");
  await page.getByRole("dialog").getByRole("button", { name: "Reject ticket" }).click();
  await expect(page.getByText("Closed").first()).toBeVisible();
  await expect(page.getByText("The task opened a new ticket.")).toBeVisible();
  await expect(page.getByRole("link", { name: "a new one" })).toBeVisible();
  await page.getByRole("link", { name: "Open new ticket" }).click();
  await expect(page.getByRole("button", { name: "Complete" })).toBeVisible();
  await page.getByRole("link", { name: "Open rejected ticket" }).click();
  await expect(page.getByText("Not yet").first()).toBeVisible();
  expect(page.url()).toBe(at(`tickets/${first}`));
  await expectStatus(api, run, "PAUSED");
});

test("an exception ticket is completed with outputs, fails the run, or is retried", async ({ page, api }) => {
  const failing = { human_msg: "Look", inputs: { url: "http://10.0.0.1/" } };
  const supplied = await start(api, "Web lookup", failing);
  await page.goto(at(`tickets/${ticketOf(supplied)}`));
  await expect(page.getByRole("heading", { name: "Provide the outputs manually" })).toBeVisible();
  await picture(page, "exception");
  await page.getByRole("textbox", { name: "status" }).fill("200");
  await page.getByRole("textbox", { name: "body" }).fill("A page about trains");
  await page.getByRole("button", { name: "Complete" }).click();
  await expectStatus(api, supplied, "COMPLETED");

  const raised = await start(api, "Web lookup", failing);
  await page.goto(at(`tickets/${ticketOf(raised)}`));
  await page.getByRole("button", { name: "Retry task" }).click();
  await expect(page.getByText("Retrying the task.")).toBeVisible();
  await expectStatus(api, raised, "PAUSED");
  const again = (await api.get(`instances/${raised.workflow_instance_id}`)) as unknown as typeof raised;
  await page.goto(at(`tickets/${ticketOf(again)}`));
  await page.getByRole("button", { name: "Fail the run" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("The page is gone");
  await page.getByRole("dialog").getByRole("button", { name: "Reject ticket" }).click();
  await expectStatus(api, raised, "FAILED");
});

test("a ticket is completed with an uploaded file", async ({ page, api }) => {
  const run = await start(api, "Meeting minutes", { human_msg: "We met." });
  await page.goto(at(`tickets/${ticketOf(run)}`));
  const choose = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload a file for file" }).click();
  const buffer = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");
  // The ticket cannot be completed during the upload.
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
  await expect(page.getByText(/completed\. The run continues/)).toBeVisible();
  await expectStatus(api, run, "COMPLETED");
});

test("an unknown ticket shows the page for missing items", async ({ page, api }) => {
  await api.get("members");
  await page.goto(at("tickets/01a20048681e700087bf057f9da3941c"));
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await page.getByRole("link", { name: "Go to Overview" }).click();
  await expect(page.getByRole("heading", { name: "Overview", exact: true })).toBeVisible();
});
