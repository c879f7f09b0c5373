import type { Page } from "@playwright/test";
import { at, expect, picture, service, test } from "./parley";

/** Signs in to the provider as the given account. */
async function signInAs(page: Page, account: string) {
  // The provider's page loads an external font; tests have no network.
  await page.route(/fonts\.googleapis\.com/, (route) => route.fulfill({ body: "", contentType: "text/css" }));
  await page.getByRole("link", { name: "Continue with Acme ID" }).click();
  await expect(page).toHaveURL(/\/interaction\//);
  await page.locator("[name=login]").fill(account);
  await page.locator("[name=password]").fill("whatever it is");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

test("users sign in with OpenID Connect and return to the requested page", async ({ page, newMember }) => {
  await newMember("Olga", "member");
  await page.context().clearCookies();
  await page.goto(at("tickets?status=done"));
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await picture(page, "sign-in-provider", ["light", "phone"]);
  await signInAs(page, "olga");
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
