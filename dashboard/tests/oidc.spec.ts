import type { Page } from "@playwright/test";
import { at, expect, picture, service, test } from "./parley";

/** To the provider by the button of the sign-in page, and through its own page as that account. */
async function enterBy(page: Page, account: string) {
  // The provider's page asks for a font elsewhere, which tests do not.
  await page.route(/fonts\.googleapis\.com/, (route) => route.fulfill({ body: "", contentType: "text/css" }));
  await page.getByRole("link", { name: "Continue with Acme ID" }).click();
  await expect(page).toHaveURL(/\/interaction\//);
  await page.locator("[name=login]").fill(account);
  await page.locator("[name=password]").fill("whatever it is");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

test("people sign in by their provider, join with a new account, and come back to where they wanted to go", async ({
  page,
  newMember,
}) => {
  const { member, email } = await newMember("Olga", "member");
  await page.context().clearCookies();
  // Her account was not proven: the one of the provider replaces it, and she is invited again.
  await page.goto(`${service.url}/sign-in`);
  await enterBy(page, "olga");
  await expect(page.getByText("You are in no organization yet")).toBeVisible();
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
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();

  await page.context().clearCookies();
  await page.goto(at("tickets?status=done"));
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await picture(page, "sign-in-provider", ["light", "phone"]);
  await enterBy(page, "olga");
  await expect(page.getByRole("heading", { name: "Tickets" })).toBeVisible();
  expect(page.url()).toBe(at("tickets?status=done"));
  const me = await page.request.get(`${service.url}/dashboard/api/me`);
  expect(await me.json()).toMatchObject({ email: "olga@parley.example" });
  const cookies = await page.context().cookies(service.url);
  expect(cookies.find((each) => each.name.startsWith("parley"))).toMatchObject({
    httpOnly: true,
    sameSite: "Strict",
  });
});

test("whom nobody invited, or whose address is not confirmed, is told so", async ({ page }) => {
  await page.goto(`${service.url}/sign-in`);
  await enterBy(page, "stranger");
  await expect(page.getByRole("alert")).toContainText("Nobody here has your e-mail address");
  await picture(page, "sign-in-refused");
  expect((await page.request.get(`${service.url}/dashboard/api/me`)).status()).toBe(401);

  await page.context().clearCookies();
  await enterBy(page, "unverified");
  await expect(page.getByRole("alert")).toContainText("does not confirm your e-mail address");

  await page.context().clearCookies();
  await page.getByRole("link", { name: "Continue with Acme ID" }).click();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("alert")).toContainText("The sign-in was cancelled.");
});
