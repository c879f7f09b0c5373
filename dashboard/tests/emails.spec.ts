import { at, expect, picture, service, start, test } from "./parley";

test("the email about a ticket can be read", { tag: "@gate" }, async ({ page, api }) => {
  await api.get("members");
  await start(api, "Travel request", { human_msg: "To Graz by train" });
  await page.goto(at("emails"));
  await expect(page.getByText("No email server is set up")).toBeVisible();
  const mail = page.getByRole("link", { name: /Plan the journey/ }).first();
  await expect(mail).toBeVisible();
  await page.getByRole("searchbox", { name: "Search" }).fill("plan the JOURNEY");
  await expect(page).toHaveURL(/search=plan/);
  await expect(mail).toBeVisible();
  await expect(page.getByText(/^[1-9]\d* emails?$/)).toBeVisible();
  await expect(page.getByRole("link", { name: /^Ticket #\d+$/ }).first()).toHaveAttribute(
    "href",
    /tickets\/[0-9a-f]{32}$/,
  );
  await picture(page, "emails", ["light", "dark", "phone"]);
  await page.getByRole("searchbox", { name: "Search" }).fill("nobody@nowhere.example");
  await expect(page.getByText("No emails match these filters")).toBeVisible();
  await page.getByRole("searchbox", { name: "Search" }).fill("");
  await mail.click();
  await expect(page.getByRole("table", { name: "Recipients" })).toContainText("Not sent");
  await expect(page.getByText(/Times are in your time zone/)).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: /^#\d+ .*Plan the journey/ })).toBeVisible();
  await expect(
    page.frameLocator('iframe[title="Email preview"]').getByText("Plan the journey").first(),
  ).toBeVisible();
  const preview = page.frameLocator('iframe[title="Email preview"]');
  await expect(preview.getByRole("link", { name: /^Open ticket #\d+$/ })).toBeVisible();
  await expect(page.getByText("Replies go to this address")).toBeVisible();
  // The frame does not scroll.
  await expect
    .poll(() => preview.locator("html").evaluate((html) => html.scrollHeight - html.clientHeight))
    .toBe(0);
  await picture(page, "email", ["light", "dark", "phone"]);
  await page.getByText("Plain text", { exact: true }).click();
  await expect(page.getByLabel("Email text")).toContainText("Plan the journey");
});

test("a person turns off ticket emails, and is told when that fails", async ({ newMember }) => {
  const { member: page } = await newMember("Edda", "member");
  await page.goto(`${service.url}/account`);
  const comments = page.getByRole("switch", { name: "Comments" });
  await expect(comments).toBeChecked();
  await picture(page, "account-emails", ["light", "dark", "phone"]);
  await comments.click();
  await expect(page.getByText("Emails updated.")).toBeVisible();
  await page.reload();
  await expect(comments).not.toBeChecked();
  await expect(page.getByRole("switch", { name: "New tickets" })).toBeChecked();

  await page.route("**/dashboard/api/me/emails", (route) =>
    route.fulfill({ status: 429, json: { error: "Too Many Requests", detail: "Try again later." } }),
  );
  await page.getByRole("switch", { name: "Reminders" }).click();
  await expect(page.getByRole("region", { name: "Emails" }).getByRole("alert")).toBeVisible();
  await expect(page.getByRole("switch", { name: "Reminders" })).toBeChecked();
});
