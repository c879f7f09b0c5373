import type { Page } from "@playwright/test";
import { at, expect, picture, service, test } from "./parley";

/** Signs in to the provider as the given account. */
async function signInAs(page: Page, account: string) {
  // The provider's page loads an external font; tests have no network.
  await page.route(/fonts\.googleapis\.com/, (route) => route.fulfill({ body: "", contentType: "text/css" }));
  await page.getByRole("link", { name: "Continue with Acme ID" }).click();
  await enter(page, account);
}

/** Fills in the provider's pages. */
async function enter(page: Page, account: string) {
  await expect(page).toHaveURL(/\/interaction\//);
  await page.locator("[name=login]").fill(account);
  await page.locator("[name=password]").fill("whatever it is");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

test("users sign in with OpenID Connect, join with a new account, and return to the requested page", async ({
  page,
  newMember,
}) => {
  const { member, email } = await newMember("Olga", "member");
  const account = email.replace(/@.*/, "");
  await page.context().clearCookies();
  // The provider's account replaces the unverified one, so Olga needs a new invitation.
  await page.goto(`${service.url}/sign-in`);
  await signInAs(page, account);
  await expect(page.getByText("You’re not a member of any organization yet")).toBeVisible();
  expect((await member.request.get(`${service.url}/dashboard/api/me`)).status()).toBe(401);
  const operator = await page.context().browser()!.newContext();
  await operator.addCookies([{ name: "parley_session", value: service.session, url: service.url }]);
  const invited = await operator.request.post(
    `${service.url}/dashboard/api/organizations/${service.organization}/members`,
    { data: { email, name: "Olga", role: "member" }, headers: { "X-Requested-With": "parley" } },
  );
  const { invitation_token } = (await invited.json()) as { invitation_token: string };
  await operator.close();
  await page.goto(`${service.url}/invitations/${invitation_token}`);
  await page.getByRole("button", { name: "Join", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Overview", exact: true })).toBeVisible();

  await page.context().clearCookies();
  await page.goto(at("tickets?status=done"));
  await expect(page.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
  await picture(page, "sign-in-provider", ["light", "phone"]);
  await signInAs(page, account);
  await expect(page.getByRole("heading", { name: "Tickets", exact: true })).toBeVisible();
  expect(page.url()).toBe(at("tickets?status=done"));
  const me = await page.request.get(`${service.url}/dashboard/api/me`);
  expect(await me.json()).toMatchObject({ email });
  const cookies = await page.context().cookies(service.url);
  expect(cookies.find((each) => each.name.startsWith("parley"))).toMatchObject({
    httpOnly: true,
    sameSite: "Strict",
  });

  // The session ends while a page is open: the provider opens in a new tab, and the page continues.
  await page.context().clearCookies();
  // The dialog may open before, since the list of tickets is refreshed by itself.
  await page.getByRole("link", { name: "Members", exact: true }).dispatchEvent("click");
  const ended = page.getByRole("dialog", { name: "Your session has ended" });
  const opened = page.context().waitForEvent("page");
  await ended.getByRole("link", { name: "Continue with Acme ID in a new tab" }).click();
  const tab = await opened;
  await tab.route(/fonts\.googleapis\.com/, (route) => route.fulfill({ body: "", contentType: "text/css" }));
  await enter(tab, account);
  await expect(tab).toHaveURL(/\/sign-in\/done$/);
  await tab.close();
  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(ended).toHaveCount(0);
  await expect(page.getByRole("row", { name: email })).toBeVisible();
});

test("uninvited users and unverified email addresses get an explanation", async ({ page }) => {
  await page.goto(`${service.url}/sign-in`);
  await signInAs(page, "stranger");
  await expect(page.getByRole("alert")).toContainText("There is no account for your email address");
  await picture(page, "sign-in-refused");
  expect((await page.request.get(`${service.url}/dashboard/api/me`)).status()).toBe(401);

  await page.context().clearCookies();
  await signInAs(page, "unverified");
  await expect(page.getByRole("alert")).toContainText("hasn’t verified your email address");

  await page.context().clearCookies();
  await page.getByRole("link", { name: "Continue with Acme ID" }).click();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("alert")).toContainText("Sign-in was cancelled.");
});
