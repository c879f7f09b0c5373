import { INVOICES, invoices } from "./invoices";
import { at, expect, expectStatus, picture, service, start, test, testRun, ticketOf } from "./parley";

const TRIP = { human_msg: "To Graz by train", inputs: { destination: "Graz", days: 2, budget: 300 } };

test("a half-filled ticket and a comment survive leaving, reloading and another person's completion", async ({
  page,
  api,
  newMember,
}) => {
  const [ticket] = await invoices(api, "ACME");
  const { api: theirs } = await newMember("Uma", "admin");
  await page.goto(at(`tickets/${ticket}`));
  const note = page.getByLabel("note");
  const comment = page.getByLabel("Comment");
  await note.fill("Half an answer");
  await comment.fill("Half a comment");
  await page.getByRole("link", { name: "Runs" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
  await page.goto(at(`tickets/${ticket}`));
  await expect(note).toHaveValue("Half an answer");
  await expect(comment).toHaveValue("Half a comment");

  await theirs.post(`tickets/${ticket}/claim`);
  await expect(page.getByText("Claimed by Uma")).toBeVisible();
  await expect(note).toBeDisabled();
  await expect(page.getByRole("button", { name: "Complete" })).toBeDisabled();
  await picture(page, "ticket-locked", ["light", "dark", "phone"]);
  await page.getByRole("button", { name: "Take over" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Take over" }).click();
  await expect(note).toBeEnabled();
  await expect(note).toHaveValue("Half an answer");

  await theirs.post(`tickets/${ticket}/release`);
  const answer = { approved: true, amount: 1, note: "Theirs" };
  await theirs.post(`tickets/${ticket}/complete`, { answer });
  await expect(page.getByText("Your unsent answer")).toBeVisible();
  await expect(page.getByText("Half an answer")).toBeVisible();
  await expect(comment).toHaveValue("Half a comment");
  await page.reload();
  await expect(comment).toHaveValue("Half a comment");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByText("Half an answer")).toHaveCount(0);
  // A ticket that has ended can still be commented on.
  await comment.press("Control+Enter");
  await expect(comment).toHaveValue("");
  await expect(page.getByText("Half a comment")).toBeVisible();
});

test("a ticket is opened from a link, claimed and commented on", async ({ page, api, browser }) => {
  const tested = await start(api, "Travel request", { human_msg: "To Graz by train" });
  const ticketId = ticketOf(tested);
  // Tickets of test runs don't count in the menu; that of a published run does.
  await api.post(`workflows/${tested.workflow_id}/publish`);
  await api.post(`instances/${tested.workflow_instance_id}/rerun`, { version: "latest" });

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
  await expect(page.getByLabel(/unclaimed in your teams/)).toBeVisible();
  await picture(page, "tickets", ["light", "dark", "phone"]);
  await page.goto(at(`tickets/${ticketId}`));
  await page.getByRole("button", { name: "Claim" }).click();
  await expect(page.locator('[data-status="IN_PROGRESS"]')).toHaveText("Claimed");
  await page.getByLabel("Comment").fill("Looks fine to me.");
  await page.getByLabel("Comment").press("Control+Enter");
  await expect(page.getByText("Looks fine to me.")).toBeVisible();
  await page.getByRole("button", { name: "Complete" }).click();
  await expect(page.getByText("Enter a value.").first()).toBeVisible();
  await picture(page, "ticket", ["light", "dark", "phone"]);
});

test("a required text must not be blank, and an error goes with the next change of its field", async ({
  page,
  newOrganization,
}) => {
  const office = await newOrganization("Notes");
  const [ticket = ""] = await invoices(office.api, "ACME");
  await page.goto(office.at(`tickets/${ticket}`));
  const note = page.getByRole("textbox", { name: "Note" });
  const complete = page.getByRole("button", { name: "Complete with these values" });
  await page.getByRole("radio", { name: "Yes" }).click();
  await page.getByLabel("Amount").fill("12");
  await note.fill("   ");
  await complete.click();
  await expect(page.getByText("Enter a value.")).toBeVisible();
  await expect(note).toBeFocused();
  await note.fill("Fine");
  await expect(page.getByText("Enter a value.")).toHaveCount(0);
  await complete.click();
  await expect(page.getByText(/completed\. The run continues/)).toBeVisible();
});

test(
  "a ticket is released, reassigned and completed, and its run completes",
  { tag: "@gate" },
  async ({ page, api }) => {
    const run = await start(api, "Travel request", TRIP);
    await page.goto(at(`tickets/${ticketOf(run)}`));
    await page.getByRole("button", { name: "Earlier steps (1)" }).click();
    await expect(page.getByRole("listitem").filter({ hasText: "Plan the journey" })).toContainText(
      "Completed",
    );
    await picture(page, "ticket-steps", ["light", "phone"]);
    await page.getByRole("button", { name: "Claim" }).click();
    await page.getByRole("button", { name: "Release" }).click();
    await expect(page.getByRole("button", { name: "Claim" })).toBeVisible();
    await page.getByRole("button", { name: "Reassign" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("button", { name: "Reassign" })).toBeDisabled();
    await dialog.getByRole("combobox", { name: "Assign to" }).click();
    await page.getByRole("option", { name: /demo@parley.example/ }).click();
    await dialog.getByRole("button", { name: "Reassign" }).click();
    await expect(page.getByRole("complementary", { name: "Ticket details" })).toContainText("Assigned toYou");
    await expect(page.getByText(/^You reassigned the ticket from .+ to you/)).toBeVisible();
    // Paper has the questions, to answer by hand.
    await page.emulateMedia({ media: "print" });
    const paper = page.getByRole("region", { name: "Answer form" });
    await expect(paper).toContainText(/Booked.*Yes.*No.*Reference/);
    await expect(page.getByRole("region", { name: "Earlier steps" })).toContainText("Plan the journey");
    await expect(page.getByText("Open run", { exact: true })).toBeHidden();
    await page.emulateMedia({ media: "screen" });
    await expect(paper).toHaveCount(0);
    await page.getByRole("button", { name: "Complete" }).click();
    const missing = page.getByText("Choose Yes or No.");
    await expect(missing).toBeVisible();
    const radio = (await page.getByLabel("Yes").boundingBox())!;
    expect((await missing.boundingBox())!.y - radio.y - radio.height).toBeGreaterThan(3);
    await page.getByLabel("Yes").check();
    await page.getByRole("textbox", { name: "reference" }).fill("R-42");
    await page.getByRole("button", { name: "Complete" }).click();
    await expect(page.getByRole("heading", { name: "Answer", exact: true })).toBeVisible();
    await expect(page.getByText("R-42")).toBeVisible();
    // Paper has the record, not the controls; a run has all its tasks.
    await page.emulateMedia({ media: "print" });
    await expect(page.getByLabel("Comment")).toBeHidden();
    await expect(page.getByText("R-42")).toBeVisible();
    await page.goto(at(`runs/${run.workflow_instance_id}`));
    await expect(page.getByRole("heading", { name: "Input", exact: true })).toBeVisible();
    await expect(page.getByRole("heading", { name: /^Plan the journey/ })).toBeVisible();
    await expect(page.getByRole("tab", { name: "Timeline" })).toBeHidden();
    await page.emulateMedia({ media: "screen" });
    await expectStatus(api, run, "COMPLETED");
  },
);

test("a ticket is printed with the outputs of the earlier steps, which were not opened", async ({
  page,
  api,
}) => {
  const run = await start(api, "Travel request", TRIP);
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute("data-printed", "true");
  });
  await page.goto(at(`tickets/${ticketOf(run)}`));
  await page.getByRole("button", { name: "Print" }).click();
  await expect(page.locator("body[data-printed]")).toBeVisible();
  // Paper cannot wait for anything that is not there yet.
  await page.route("**/logs?*", (route) => route.abort());
  await page.emulateMedia({ media: "print" });
  const steps = page.getByRole("region", { name: "Earlier steps" });
  await expect(steps).toContainText("Plan the journey");
  await expect(steps).toContainText(/Plan.*Graz.*Cost/);
  // Readers of paper do not know who “you” is, nor where it comes from.
  await expect(page.getByText(/^Demo · Printed .* · http.*\/tickets\//)).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Ticket details" })).not.toContainText("You");
  await page.emulateMedia({ media: "screen" });
  await page.unrouteAll();
});

test("rejecting a ticket with a reason fails its run", async ({ page, api }) => {
  const run = await start(api, "Travel request", TRIP);
  await page.goto(at(`tickets/${ticketOf(run)}`));
  await page.getByRole("button", { name: "Can’t answer…" }).click();
  await expect(page.getByRole("dialog")).toContainText("The run fails");
  await page.getByRole("dialog").getByLabel("Reason").fill("Too expensive");
  await page.getByRole("dialog").getByRole("button", { name: "Reject ticket" }).click();
  await expect(page.getByText("Too expensive").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Complete" })).toHaveCount(0);
  await expectStatus(api, run, "FAILED");
  await expect(page.getByRole("status").getByText(/rejected\. The run failed\./)).toBeVisible();
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("Rejected by youThe run failed. See the run");
});

test(
  "an exception ticket is completed with outputs, fails the run, or is retried",
  { tag: "@gate" },
  async ({ page, api }) => {
    const failing = { human_msg: "Look", inputs: { url: "http://10.0.0.1/" } };
    const supplied = await start(api, "Web lookup", failing);
    await page.goto(at(`tickets/${ticketOf(supplied)}`));
    await expect(page.getByRole("heading", { name: "Retry the task or enter its result" })).toBeVisible();
    await expect(page.getByRole("button", { name: /^(Retry|Complete|Fail)/ })).toHaveText([
      "Retry task",
      "Complete with these values",
      "Fail the run",
    ]);
    await expect(page.getByRole("complementary", { name: "Ticket details" })).toContainText("PriorityHigh");
    await picture(page, "exception");
    await page.getByRole("textbox", { name: "status" }).fill("200");
    await page.getByRole("textbox", { name: "body" }).fill("A page about trains");
    await page.getByRole("button", { name: "Complete" }).click();
    await expectStatus(api, supplied, "COMPLETED");

    const raised = await start(api, "Web lookup", failing);
    await page.goto(at(`tickets/${ticketOf(raised)}`));
    await page.getByRole("button", { name: "Retry task" }).click();
    await expect(page.getByText("The task failed again.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Open new ticket" })).toBeVisible();
    await expectStatus(api, raised, "PAUSED");
    await page.reload();
    await expect(page.getByRole("alert")).toContainText(/Retried by youThe task failed again\. See #\d+/);
    await expect(page.locator('[data-status="RESOLVED"]')).toHaveText("Retried");
    await expect(page.getByText("You retried the task")).toBeVisible();
    const again = (await api.get(`instances/${raised.workflow_instance_id}`)) as unknown as typeof raised;
    await page.getByRole("link", { name: /^See #/ }).click();
    await expect(page).toHaveURL(at(`tickets/${ticketOf(again)}`));
    await expect(page.getByRole("link", { name: "Open earlier ticket" })).toBeVisible();
    await page.getByRole("button", { name: "Fail the run" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("The page is gone");
    await page.getByRole("dialog").getByRole("button", { name: "Fail the run" }).click();
    await expectStatus(api, raised, "FAILED");
  },
);

test("a ticket is completed with an uploaded file", { tag: "@gate" }, async ({ page, api }) => {
  const run = await start(api, "Meeting minutes", { human_msg: "We met." });
  await page.goto(at(`tickets/${ticketOf(run)}`));
  const choose = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a file for file" }).click();
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
  await expect(page.getByText("s3://")).toHaveCount(0);
  await page.getByLabel("Approved at").fill("2029-03-01T10:00");
  await picture(page, "ticket-file");
  await page.setViewportSize({ width: 1280, height: 480 });
  await page.getByRole("button", { name: "Complete" }).click();
  const header = (await page.getByRole("banner").boundingBox())!.height;
  await expect
    .poll(async () => (await page.getByText(/completed\. The run continues/).boundingBox())?.y)
    .toBeGreaterThan(header);
  await expectStatus(api, run, "COMPLETED");
});

test("a list of objects is filled in by rows and shown as a table", async ({ page, api }) => {
  const run = await start(api, "Order check", { human_msg: "Please check my order." });
  await page.goto(at(`tickets/${ticketOf(run)}`));
  const row = (number: number) => page.getByRole("group", { name: `Row ${number} of Order` });
  await row(1).getByLabel("Sku").fill("A-1");
  await row(1).getByLabel("Quantity").fill("three");
  await page.getByRole("button", { name: "Add row" }).click();
  await expect(row(2).getByLabel("Sku")).toBeFocused();
  await row(2).getByLabel("Quantity").fill("12000");
  const customer = page.getByRole("group", { name: "Customer" }).getByLabel("Name");
  await page.getByRole("button", { name: "Complete" }).click();
  // All faulty fields are marked at once, and the first one has the focus.
  const order = page.getByRole("group", { name: "Order", exact: true });
  await expect(page.getByText("Correct the marked fields.")).toBeVisible();
  await expect(order.locator("[aria-invalid=true]")).toHaveCount(2);
  await expect(row(1).getByLabel("Quantity")).toBeFocused();
  await expect(row(1).getByText(/^Enter a whole number/)).toBeVisible();
  await expect(row(2).getByText("Enter a value.")).toBeVisible();
  await expect(customer).toHaveAttribute("aria-invalid", "true");
  await customer.fill("Ada");
  await picture(page, "ticket-rows-refused", ["light", "dark", "phone"]);
  await row(1).getByLabel("Quantity").fill("3");
  await expect(order.locator("[aria-invalid=true]")).toHaveCount(1);
  await row(2).getByLabel("Sku").fill("B-2");
  await expect(page.getByText("Correct the marked fields.")).toHaveCount(0);
  await picture(page, "ticket-rows");
  await page.getByRole("button", { name: "Edit as JSON" }).first().click();
  await expect(page.getByLabel("Order as JSON")).toHaveValue(/"quantity": "3"/);
  await page.getByRole("button", { name: "Edit as a form" }).click();
  await page.getByRole("button", { name: "Complete" }).click();
  await expectStatus(api, run, "COMPLETED");
  const answer = page.getByRole("region", { name: "order" });
  await expect(answer.getByRole("row", { name: "B-2 12,000" })).toBeVisible();
});

test(
  "a tool call of an agent is edited and approved, and the editor sets the approval",
  { tag: "@gate" },
  async ({ page, api }) => {
    const [rule] = INVOICES.assignment_rules;
    const { id } = await api.post("workflows", {
      name: "Payments",
      assignment_rules: [{ ...rule, assignee_id: service.user }],
      tasks: [
        {
          id: "pay",
          kind: "AI",
          name: "Pay invoices",
          instructions: "Pay what is due.",
          tools: [{ id: 1, approval: "when", when: "arguments.body.amount > 100" }],
          input_parameters: [
            {
              name: "human_msg",
              type: "STRING",
              description: "The message",
              required: true,
              source: "system_generated",
            },
          ],
          expected_output: [{ name: "answer", type: "STRING", description: "What was paid" }],
        },
      ],
    });
    const call = {
      method: "POST",
      url: `${service.url}/health/live`,
      body: { amount: 150, to: "Graz Rail" },
    };
    const run = await testRun(api, id, {
      human_msg: `offline:call http.request ${JSON.stringify(call)}`,
    });
    await page.goto(at(`tickets/${ticketOf(run)}`));
    await expect(page.getByRole("heading", { name: "Approve a call of http.request" })).toBeVisible();
    const typed = page.getByLabel("Arguments", { exact: true });
    await expect(typed).toHaveValue(/"amount": 150/);
    await picture(page, "ticket-approval", ["light", "dark", "phone"]);
    await typed.fill(JSON.stringify({ ...call, method: "BUY" }));
    const approve = page.getByRole("button", { name: "Approve call" });
    const before = await approve.boundingBox();
    await typed.blur();
    // Formatting on blur would move the button below a click.
    expect(await approve.boundingBox()).toEqual(before);
    await page.getByRole("button", { name: "Format Arguments" }).click();
    await expect(typed).toHaveValue(/"method": "BUY"/);
    await approve.click();
    await expect(page.getByText(/'\/answer\/arguments\/method'/)).toBeVisible();
    await typed.fill(JSON.stringify({ ...call, body: { amount: 120 } }, null, 2));
    await page.getByRole("button", { name: "Approve call" }).click();
    await expect(page.getByText(/Call approved/)).toBeVisible();
    await expectStatus(api, run, "COMPLETED");

    await page.goto(at(`agents/${String(id)}`));
    await page.locator('.react-flow__node[data-id="pay"]').click();
    const side = page.getByRole("complementary", { name: "Properties" });
    await expect(side.getByLabel(/^Approval of /).first()).toHaveValue("Ask when…");
    await side.getByLabel("Condition over the arguments").fill("argument.amount > 1");
    await expect(side.getByText(/there is nothing named/)).toBeVisible();
    await side.getByText("Limits", { exact: true }).click();
    await side.getByLabel("Tool calls").fill("5");
    await side.getByLabel("Condition over the arguments").fill("arguments.amount > 1");
    await expect(side.getByText(/there is nothing named/)).toBeHidden();
    await picture(page, "editor-approval", ["light", "dark"]);
  },
);

test("an unknown ticket shows the page for missing items", async ({ page, api }) => {
  await api.get("members");
  await page.goto(at("tickets/01a20048681e700087bf057f9da3941c"));
  await expect(page.getByRole("heading", { name: "This ticket doesn’t exist" })).toBeVisible();
  await page.getByRole("link", { name: "Go to Tickets" }).click();
  await expect(page.getByRole("heading", { name: "Tickets", exact: true })).toBeVisible();
});
