import { at, expect, picture, service, test } from "./parley";

test("unknown addresses, lost scripts and a lost connection are shown inside the frame", async ({
  page,
  api,
  complaints,
}) => {
  await api.get("members");
  const answer = await page.goto(`${service.url}/foo/bar`);
  expect(answer!.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Menu" })).toBeVisible();
  expect((await page.request.get(`${service.url}/foo/bar`)).headers()["content-type"]).toContain("json");

  // An operator has the settings of each organization, but of none that doesn't exist.
  await page.goto(`${service.url}/organizations/0192f0c1a2b37c4d8e5f60718293a4b5/overview`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await expect(page.getByRole("button", { name: /^Organization: Demo/ })).toBeVisible();

  await page.goto(at("members"));
  await expect(page.getByRole("cell", { name: /Demo/ }).first()).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText("You’re offline. Last updated")).toBeVisible();
  await picture(page, "offline", ["light", "phone"]);
  await page.getByRole("button", { name: "Invite member" }).click();
  await page.getByLabel("Name").fill("Nobody");
  await page.getByRole("textbox", { name: "Email" }).fill("nobody@parley.example");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const alert = page.getByRole("dialog").getByRole("alert");
  await expect(alert).toContainText("can’t reach Parley");
  await page.context().setOffline(false);
  await expect(alert).toContainText("The connection is back");
  await page.context().setOffline(true);
  await expect(alert).toContainText("can’t reach Parley");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();
  await page
    .getByRole("link", { name: /^Tickets/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: "This page couldn’t be loaded" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Try now" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await expect(page.getByRole("navigation", { name: "Menu" })).toBeVisible();
  await picture(page, "lost-script");

  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "Tickets", exact: true })).toBeVisible();
  await expect(page.getByText("You’re offline")).toHaveCount(0);
  await page.getByRole("link", { name: "Teams", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Teams", exact: true })).toBeFocused();
  // The browser reports the failed requests.
  complaints.length = 0;

  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation", { name: "Menu" })).toBeHidden();
  await expect(page.getByRole("heading", { name: "Teams", exact: true })).toBeVisible();
  await page.emulateMedia({ media: "screen" });
});
