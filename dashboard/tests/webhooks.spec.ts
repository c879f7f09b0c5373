import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { at, expect, picture, test } from "./parley";

test("an endpoint receives events, and deliveries can be inspected and resent", async ({ page, api }) => {
  let received = 0;
  const receiver = createServer((request, answer) => {
    request.resume().on("end", () => {
      received++;
      answer.end("thanks");
    });
  });
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
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
    await expect(page.getByText(url)).toBeVisible();
    await picture(page, "webhooks");

    const created = await api.post("conversations", {});
    await api.post(`conversations/${String(created.id)}/messages`, { content: "Hello" });
    await expect.poll(() => received).toBeGreaterThan(0);
    await page.getByRole("tab", { name: "Deliveries" }).click();
    await page.getByRole("link", { name: "message.created" }).first().click();
    await expect(page.locator("main [data-status=DELIVERED]").first()).toBeVisible();
    await expect(page.getByLabel("Response to attempt 1")).toHaveText("thanks");
    await picture(page, "webhook-delivery");
    const before = received;
    await page.getByRole("button", { name: "Resend" }).click();
    await expect.poll(() => received).toBeGreaterThan(before);

    await page.goto(at("webhooks/secret"));
    const secret = page.getByLabel("Signing secret");
    await expect(secret).toHaveValue(/^whsec_/);
    const old = await secret.inputValue();
    await page.getByRole("button", { name: "Rotate secret" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
    await expect(secret).not.toHaveValue(old);
  } finally {
    receiver.close();
  }
});
