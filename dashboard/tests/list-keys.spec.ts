import type { Page } from "@playwright/test";
import { expect, service, test, type Api } from "./parley";

/** Opens two tickets, each with a run, an email and a delivery. */
async function openTickets(api: Api) {
  // Nothing listens on this port.
  await api.post("webhook-endpoints", { url: "http://127.0.0.1:1/hooks", event_types: ["ticket.created"] });
  const agent = await api.post("workflows", {
    name: "Approval",
    assignment_rules: [{ rule_type: "Human Feedback", assignment_type: "User", assignee_id: service.user }],
    tasks: [{ id: "approve", kind: "Human", name: "Approve", instructions: "Check the order." }],
  });
  await api.post(`workflows/${String(agent.id)}/publish`);
  for (const content of ["First order", "Second order"]) {
    // oxlint-disable no-await-in-loop -- in this order
    const conversation = await api.post("conversations", {
      usecase: "WORKFLOW_EXECUTION",
      config: { workflow_id: agent.id },
    });
    await api.post(`conversations/${String(conversation.id)}/messages`, { content_type: "text", content });
    // oxlint-enable no-await-in-loop
  }
  for (const list of ["tickets", "instances", "email-summaries", "webhook-deliveries"]) {
    // oxlint-disable-next-line no-await-in-loop
    await expect.poll(async () => ((await api.get(list)).items as unknown[]).length).toBe(2);
  }
}

/** Moves in the list with J and K, and opens its second row. */
async function expectKeys(page: Page, one: string) {
  const rows = page.locator("tbody .rowLink");
  await expect(rows.nth(1)).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog").getByRole("row", { name: `Open the ${one} Enter` })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("j");
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press("j");
  await expect(rows.nth(1)).toBeFocused();
  await expect(page.locator("tbody tr").nth(1).locator("td").first()).not.toHaveCSS("box-shadow", "none");
  await page.keyboard.press("k");
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  return rows;
}

test("J, K and Enter work in every long list", async ({ page, newOrganization }) => {
  const { at, api } = await newOrganization("Keys");
  await openTickets(api);
  for (const [path, one] of [
    ["runs", "run"],
    ["emails", "email"],
    ["webhooks/deliveries", "delivery"],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one browser window
    await page.goto(at(path));
    const rows = await expectKeys(page, one);
    await expect(page).toHaveURL(new RegExp(`/${path}/[0-9a-f-]+$`));
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    // The list goes on from the row that was open.
    await page.goBack();
    await expect(rows.nth(1)).toBeVisible();
    await page.keyboard.press("j");
    await expect(rows.nth(1)).toBeFocused();
    // oxlint-enable no-await-in-loop
  }
  await page.goto(at("audit-log"));
  const entries = await expectKeys(page, "entry");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(entries.nth(1)).toBeFocused();
  await page.keyboard.press("/");
  await expect(page.getByLabel("Target")).toBeFocused();
});
