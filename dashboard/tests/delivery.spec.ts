import { expect, expectAccessible, expectWithinBudget, scriptsOf, service, test } from "./parley";

test("sign-in loads less than 300 KB of compressed script", async ({ page }) => {
  const scripts = scriptsOf(page);
  await page.goto(`${service.url}/sign-in`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expectWithinBudget(scripts);
});

test(
  "a link to a section of the API reference opens at it, also after another page",
  { tag: "@gate" },
  async ({ page }) => {
    for (const address of ["/sign-in", "/docs", "/docs#send-a-message"]) {
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      await page.goto(service.url + address);
    }
    const title = page.getByRole("heading", { name: "Send a message" });
    await expect(title).toBeInViewport();
    await page.evaluate(() => (location.hash = "errors"));
    await expect(page.getByRole("heading", { name: "Errors", exact: true })).toBeInViewport();
  },
);

test("the API reference sends requests with the reader's key, which it does not keep", async ({ page }) => {
  await page.goto(`${service.url}/docs`);
  // A request that is open already takes the conversation that is created meanwhile.
  await page.getByRole("button", { name: "Try it: Send a message" }).click();
  await page
    .getByRole("region", { name: "Send a message" })
    .getByRole("link", { name: "Create a conversation" })
    .click();
  await expect(page).toHaveURL(`${service.url}/docs#create-a-conversation`);
  await page.getByRole("button", { name: "Try it: Create a conversation" }).click();
  const form = page.getByRole("form", { name: "Request: Create a conversation" });
  await form.getByRole("button", { name: "Send request" }).click();
  await expect(form.getByRole("alert")).toHaveText("Enter your API key.");
  await form.getByLabel("API key").fill(service.apiKey);
  await form.getByRole("button", { name: "Send request" }).click();
  await expect(form.getByRole("alert")).toHaveText("Replace $WORKFLOW_ID in the body.");
  await form.getByLabel("Body").fill("{}");
  await form.getByRole("button", { name: "Send request" }).click();
  await expect(form.locator("[data-tone=good]")).toHaveText("201");
  await expect(form.getByLabel("answer: Create a conversation", { exact: true })).toContainText('"id"');
  // The key also fills in the examples; a reload forgets it.
  await expect(page.getByLabel("Your API key")).toHaveValue(service.apiKey);
  const message = page.getByRole("form", { name: "Request: Send a message" });
  await message.getByRole("button", { name: "Send request" }).click();
  await expect(message.locator("[data-tone=good]")).toHaveText("200");
  const top = async (label: string) => (await page.getByLabel(label).boundingBox())!.y;
  // The field of the key has a border around its input.
  expect(Math.abs((await top("Your API key")) - (await top("Your agent’s ID")))).toBeLessThan(2);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Try it: List conversations, newest first" }).click();
  const list = page.getByRole("form", { name: "Request: List conversations, newest first" });
  await list.getByRole("textbox", { name: "limit" }).fill("x");
  await list.getByRole("button", { name: "Send request" }).click();
  await expect(list.locator("[data-tone=bad]")).toHaveText("400");
  await page.reload();
  await expect(page.getByLabel("Your API key")).toHaveValue("");
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(
    service.apiKey,
  );
});

test("the API reference fills its examples with the address, key and agent of the reader", async ({
  page,
}) => {
  const scripts = scriptsOf(page);
  await page.goto(`${service.url}/docs`);
  await expect(page).toHaveTitle("API reference · Parley");
  await expect(page.getByRole("heading", { name: "Authentication" })).toBeVisible();
  await expect(page.getByText("/dashboard/api")).toHaveCount(0);
  await page.getByLabel("Your API key").fill("sk-mine");
  await page.getByLabel("Your agent’s ID").fill("0192f0c1a2b37c4d8e5f60718293a4b6");
  const first = page.getByLabel(/^request: Trigger a workflow/).first();
  await expect(first).toContainText(
    `${service.url}/developer/api/workflows/0192f0c1a2b37c4d8e5f60718293a4b6/trigger/sync`,
  );
  await expect(first).toContainText("Bearer sk-mine");
  await page.getByRole("radiogroup", { name: "Language: Send a message" }).getByText("Python").click();
  await expect(page.getByLabel("request: Send a message", { exact: true })).toContainText("requests.post(");
  const contents = page.getByRole("navigation", { name: "Contents" });
  await contents.getByRole("textbox", { name: "Find a section" }).fill("callback signature");
  await contents.getByRole("textbox", { name: "Find a section" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Webhooks" })).toBeInViewport();
  await expect(contents.locator("[aria-current=location]")).toHaveText("Webhooks");
  await contents.getByRole("textbox", { name: "Find a section" }).fill("");
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await expectAccessible(page, { onlyColors: true });
  await expectWithinBudget(scripts);
});
