import { expect, picture, test, type Api } from "./parley";
import type { Page } from "@playwright/test";

/** Several pages, and fewer than the limit of an organization per minute. */
const MESSAGES = 60;

/** A conversation with the model, too long for the window; its third message is about a needle. */
async function longConversation(api: Api): Promise<string> {
  const { id } = await api.post("conversations", {});
  for (let number = 1; number <= MESSAGES; number++) {
    const content = number === 3 ? "Where is the needle?" : `Message ${number} about the weather.`;
    // oxlint-disable-next-line no-await-in-loop -- the order of the messages
    await api.post(`conversations/${String(id)}/messages`, { content });
  }
  return String(id);
}

const distanceToEnd = (page: Page) =>
  page.evaluate(() => {
    const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
    return Math.round(scrollHeight - clientHeight - scrollTop);
  });

test("a long conversation stays at its end, keeps its title, opens at what a search found, and is printed", async ({
  page,
  newOrganization,
}) => {
  const { api, at } = await newOrganization("Weather");
  const id = await longConversation(api);
  await page.goto(at(`conversations/${id}`));
  const log = page.getByRole("log");
  await expect(log.getByText(`Message ${MESSAGES} about the weather.`).first()).toBeVisible();
  await expect.poll(() => distanceToEnd(page)).toBeLessThan(2);

  // What arrives later, such as a step or a picture, does not hide the end.
  await log.evaluate((element) => {
    const late = document.createElement("div");
    late.style.cssText = "height: 400px; flex: none";
    element.append(late);
  });
  await expect.poll(() => distanceToEnd(page)).toBeLessThan(2);
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toBeInViewport();

  // A reader of older messages stays there.
  await page.mouse.move(640, 400);
  await page.mouse.wheel(0, -1500);
  await expect.poll(() => distanceToEnd(page)).toBeGreaterThan(1000);
  await api.post(`conversations/${id}/messages`, { content: "One more" });
  await expect(log.getByText("One more").first()).toBeAttached();
  expect(await distanceToEnd(page)).toBeGreaterThan(1000);
  await page.getByRole("button", { name: "Latest messages" }).click();
  await expect(log.getByText("One more").first()).toBeInViewport();
  await expect(page.getByRole("button", { name: "Latest messages" })).toBeHidden();

  // What the reader sends comes into view, and so does its answer.
  await page.mouse.move(640, 400);
  await page.mouse.wheel(0, -1500);
  await expect.poll(() => distanceToEnd(page)).toBeGreaterThan(1490);
  await page.getByLabel("Message", { exact: true }).fill("Sent from above");
  await page.keyboard.press("Enter");
  await expect(log.getByText("Sent from above").first()).toBeInViewport();
  await expect.poll(() => distanceToEnd(page)).toBeLessThan(2);

  await page.goto(at("conversations"));
  await page.getByLabel("Search").fill("needle");
  await expect(page).toHaveURL(/q=needle/);
  await page.getByRole("link", { name: "Message 1 about the weather." }).click();
  const found = log.locator("[data-found]");
  await expect(found).toContainText("Where is the needle?");
  await expect(found).toBeInViewport();
  await expect(heading).toBeInViewport();
  await picture(page, "conversation-found", ["light", "dark", "phone"]);

  await page.emulateMedia({ media: "print" });
  await expect(page.getByLabel("Message", { exact: true })).toBeHidden();
  await expect(page.getByRole("link", { name: "← Conversations" })).toBeHidden();
  await expect(log.locator("article time").first()).toContainText(String(new Date().getFullYear()));
  await expect(page.getByText(/^.+ · Printed .* · http.*\/conversations\/[0-9a-f]{32}$/)).toBeVisible();
});
