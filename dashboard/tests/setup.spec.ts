import { expect, picture, test } from "./parley";
import { launch } from "./service";

test("the first user sets the installation up by the link on the terminal", async ({ page }) => {
  const { url, output, stop } = await launch({ PARLEY_DEMO: "false" });
  try {
    const link = /\S+(\/setup\?token=\S+)/;
    await expect.poll(() => output.join("")).toMatch(link);
    await page.goto(`${url}/sign-in`);
    await page.getByRole("link", { name: "Set this installation up" }).click();
    await expect(page.getByLabel("Token")).toBeVisible();

    await page.goto(`${url}/setup?token=guessed`);
    await page.getByLabel("Your name").fill("Grace");
    await page.getByLabel("E-mail").fill("grace@parley.example");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByLabel("Organization").fill("Harbour");
    await page.getByRole("button", { name: "Set up" }).click();
    await expect(page.getByText(/12 to 128/)).toBeVisible();
    await page.getByLabel("Password", { exact: true }).fill("a long enough password");
    await page.getByRole("button", { name: "Set up" }).click();
    await expect(page.getByText(/not the token/)).toBeVisible();
    await picture(page, "set-up", ["light", "dark", "phone"]);
    await page.getByLabel("Token").fill(link.exec(output.join(""))![1]!.split("token=")[1]!);
    await page.getByRole("button", { name: "Set up" }).click();
    await expect(page.getByRole("button", { name: "Organization: Harbour" })).toBeVisible();
    await expect(page.getByRole("heading", { name: /Nothing happened/ })).toBeVisible();

    await page.goto(`${url}/setup`);
    await expect(page.getByText("This installation is set up already.")).toBeVisible();
  } finally {
    await stop();
  }
});
