import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { at, expect, picture, test } from "./parley";

/** A receiver whose status can be changed. */
async function startReceiver() {
  const receiver = { status: 200, received: 0, url: "", stop: () => {} };
  const server = createServer((request, answer) => {
    request.resume().on("end", () => {
      receiver.received++;
      answer.writeHead(receiver.status).end(receiver.status === 200 ? "thanks" : "out of order");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  receiver.stop = () => server.close();
  return receiver;
}

test(
  "an endpoint is added, tested, edited, and its failed deliveries are resent",
  { tag: "@gate" },
  async ({ page, api }) => {
    const receiver = await startReceiver();
    const { url } = receiver;
    const toast = page.locator(".mantine-Notification-description");
    try {
      await api.get("members");
      await page.goto(at("webhooks"));
      await page.getByRole("button", { name: "Add endpoint" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("URL").fill("http://10.0.0.1/hooks");
      await dialog.getByRole("button", { name: "Add endpoint" }).click();
      await expect(dialog.getByText(/public|allowed/).first()).toBeVisible();
      await dialog.getByLabel("URL").fill(url);
      await dialog.getByRole("button", { name: "Add endpoint" }).click();
      await expect(page.getByRole("heading", { name: url })).toBeVisible();
      const endpoint = page.url();

      await page.getByRole("button", { name: "Send test event" }).click();
      await expect(page.locator("main [data-status=DELIVERED]").first()).toBeVisible();
      await expect(page.getByLabel("Response to attempt 1")).toHaveText("thanks");
      await expect(page.getByLabel("payload", { exact: true })).toContainText(
        '"type": "webhook_endpoint.ping"',
      );
      await picture(page, "webhook-delivery", ["light", "dark", "phone"]);
      await page.getByRole("button", { name: "Resend" }).click();
      await expect.poll(() => receiver.received).toBeGreaterThan(1);
      await expect(toast.filter({ hasText: "is being sent again" })).toBeVisible();

      // Two people edit the endpoint at once.
      await page.getByRole("link", { name: `← ${new URL(url).host}` }).click();
      await page.getByRole("button", { name: "Edit" }).click();
      await dialog.getByLabel("Description").fill("Mine");
      await dialog.getByRole("checkbox", { name: "ticket.created" }).uncheck();
      await picture(page, "webhook-edit", ["light", "phone"]);
      const endpointId = endpoint.split("/").at(-1)!;
      const theirs = await api.answer("PATCH", `webhook-endpoints/${endpointId}`, { description: "Theirs" });
      expect(theirs.status()).toBe(200);
      await dialog.getByRole("button", { name: "Save changes" }).click();
      await expect(dialog.getByText("Changed by you in another window")).toBeVisible();
      await picture(page, "webhook-conflict");
      await dialog.getByRole("button", { name: "Keep mine" }).click();
      await expect(dialog).toHaveCount(0);
      await expect(page.getByText("Mine", { exact: true })).toBeVisible();
      await expect(page.locator("dl").getByText("ticket.created")).toHaveCount(0);

      // A delivery that failed waits for its next attempt.
      receiver.status = 500;
      await page.getByRole("button", { name: "Send test event" }).click();
      await expect(page.getByText(/didn’t accept attempt 1\. Next attempt/)).toBeVisible();
      await expect(page.locator("main [data-status=RETRYING]")).toBeVisible();
      await picture(page, "webhook-retrying");
      receiver.status = 200;
      // After five seconds it is retried without being asked.
      await page.getByRole("button", { name: /Retry now|Resend/ }).click();
      await expect(page.locator("main [data-status=DELIVERED]").first()).toBeVisible();
      await expect(page.getByText("Attempt 2")).toBeVisible();
      await page.goto(endpoint);
      await page.getByRole("combobox", { name: "Status" }).click();
      await page.getByRole("option", { name: "Retrying" }).click();
      await expect(page).toHaveURL(/state=RETRYING/);
      await expect(page.getByRole("heading", { name: "No deliveries match these filters" })).toBeVisible();
      await page.getByRole("button", { name: "Show all deliveries" }).click();
      await expect(page.getByRole("row", { name: /webhook_endpoint\.ping Delivered/ })).toHaveCount(2);
      // Tests beside this one cause deliveries of their own.
      await expect(page.locator("dl").getByText(/^(\d+ of \d+|100% of the last \d+)$/)).toBeVisible();
      await picture(page, "webhook-endpoint", ["light", "dark", "phone"]);
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Resend failed deliveries…" }).click();
      await dialog.getByRole("button", { name: "Resend" }).click();
      await expect(toast.filter({ hasText: "No deliveries are being sent again" })).toBeVisible();

      await page.goto(at("webhooks"));
      await expect(page.getByRole("row", { name: new RegExp(url) })).toContainText("Enabled");
      await picture(page, "webhooks", ["light", "dark", "phone"]);
      await page.getByRole("link", { name: url }).click();
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Disable" }).click();
      await expect(page.getByRole("button", { name: "Send test event" })).toBeDisabled();
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Remove…" }).click();
      await dialog.getByRole("button", { name: "Remove endpoint" }).click();
      await expect(page).toHaveURL(at("webhooks"));
      await expect(page.getByText(url)).toHaveCount(0);
    } finally {
      receiver.stop();
    }
  },
);

test("a queued delivery names the earlier event, which is retried without a longer pause", async ({
  page,
  newOrganization,
}) => {
  const { at: inOrganization, api } = await newOrganization("Queued deliveries");
  const receiver = await startReceiver();
  receiver.status = 500;
  try {
    const endpoint = await api.post("webhook-endpoints", {
      url: receiver.url,
      event_types: ["message.created"],
    });
    const created = await api.post("conversations", {});
    await api.post(`conversations/${String(created.id)}/messages`, { content: "Hello" });
    // After the second attempt, the next one is in five minutes.
    await expect.poll(() => receiver.received).toBe(2);
    await page.goto(inOrganization(`webhooks/endpoints/${String(endpoint.id)}`));
    await expect(page.getByText(/^Last 2 deliveries: 1 pending, 1 retrying$/)).toBeVisible();
    const queued = page.getByRole("row", { name: /Pending/ });
    await expect(queued.getByRole("link", { name: "earlier event" })).toBeVisible();
    await expect(queued.getByRole("button")).toHaveCount(0);
    await picture(page, "webhook-queued", ["light", "phone"]);
    await queued.getByRole("link", { name: "message.created" }).click();
    await expect(page.getByText("Not sent yet.")).toBeVisible();
    await picture(page, "webhook-delivery-queued", ["light", "phone"]);
    await page.getByRole("button", { name: "Retry earlier event" }).click();
    await expect(page.getByText("Retrying the earlier event “message.created” now.")).toBeVisible();
    await expect.poll(() => receiver.received).toBe(3);
    await page.getByRole("link", { name: "earlier event" }).click();
    await expect(page.getByRole("heading", { name: "Attempt 3" })).toBeVisible();
    await expect(page.getByText(/didn’t accept attempt 3\. Next attempt in [45] min/)).toBeVisible();
    receiver.status = 200;
    await page.getByRole("button", { name: "Retry now" }).click();
    await expect(page.locator("main [data-status=DELIVERED]").first()).toBeVisible();
    await expect.poll(() => receiver.received).toBe(5);
    await api.answer("DELETE", `webhook-endpoints/${String(endpoint.id)}`);
  } finally {
    receiver.stop();
  }
});

test("deliveries of messages are filtered by endpoint and resent from the list", async ({
  page,
  newOrganization,
}) => {
  const { at: inOrganization, api } = await newOrganization("Deliveries");
  const receiver = await startReceiver();
  const { url } = receiver;
  try {
    const endpoint = await api.post("webhook-endpoints", { url, event_types: ["message.created"] });
    const created = await api.post("conversations", {});
    await api.post(`conversations/${String(created.id)}/messages`, { content: "Hello" });
    await expect.poll(() => receiver.received).toBeGreaterThan(1);
    await page.goto(inOrganization("webhooks/deliveries"));
    await page.getByRole("combobox", { name: "Endpoint" }).click();
    await page.getByRole("option", { name: url }).click();
    await expect(page).toHaveURL(inOrganization(`webhooks/deliveries?endpoint=${String(endpoint.id)}`));
    const rows = page.getByRole("row", { name: /message\.created/ });
    await expect(rows).toHaveCount(2);
    await picture(page, "webhook-deliveries", ["light", "dark", "phone"]);
    await rows
      .first()
      .getByRole("button", { name: /^Resend/ })
      .click();
    await expect.poll(() => receiver.received).toBe(3);
    await expect(page.getByText("“message.created” is being sent again.")).toBeVisible();
    await api.answer("DELETE", `webhook-endpoints/${String(endpoint.id)}`);

    await page.goto(inOrganization("webhooks/secret"));
    const secret = page.getByLabel("Signing secret");
    await expect(secret).toHaveValue(/^whsec_/);
    await picture(page, "webhook-secret", ["light", "dark", "phone"]);
    const old = await secret.inputValue();
    await page.getByRole("button", { name: "Rotate secret" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
    await expect(secret).not.toHaveValue(old);
    await expect(page.getByText("Secret rotated.")).toBeVisible();
  } finally {
    receiver.stop();
  }
});
