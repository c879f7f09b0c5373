import { at, expect, picture, service, test, workflow } from "./parley";

interface Instance {
  workflow_instance_id: string;
  tasks: { ticket_id: string | null; status: string }[];
}

test("a ticket is opened from its link, claimed, answered and done", async ({ page, api, browser }) => {
  const id = await workflow(api, "Travel request");
  const started = (await api.post(`workflows/${id}/test-run?wait_seconds=20`, {
    human_msg: "To Graz by train",
  })) as unknown as Instance;
  const ticketId = started.tasks.find((each) => each.ticket_id)?.ticket_id;
  expect(ticketId, JSON.stringify(started)).toBeTruthy();

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
