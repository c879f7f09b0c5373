import { readFileSync } from "node:fs";
import { DOT, expect, picture, test } from "./parley";

/** A service that nobody has set up, with an S3 store; service.ts started it beside the one that all tests share. */
const fresh = {
  get url() {
    return process.env.TEST_FRESH_URL ?? "";
  },
  get output() {
    return readFileSync(process.env.TEST_FRESH_OUTPUT ?? "", "utf8");
  },
};

test("the first user sets the installation up by the link on the terminal, with an S3 store", async ({
  page,
}) => {
  const { url } = fresh;
  const link = /\S+(\/setup\?token=\S+)/;
  await expect.poll(() => fresh.output, { timeout: 60_000 }).toMatch(link);
  await page.goto(`${url}/sign-in`);
  await page.getByRole("link", { name: "Set this installation up" }).click();
  await expect(page.getByLabel("Token")).toBeVisible();

  await page.goto(`${url}/setup?token=guessed`);
  await page.getByLabel("Your name").fill("Grace");
  await page.getByLabel("E-mail").fill("grace@parley.example");
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByLabel("Organization").fill("Harbour");
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByText(/8 to 128/)).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill("a long enough password");
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByText(/not the token/)).toBeVisible();
  await picture(page, "set-up", ["light", "dark", "phone"]);
  await page.getByLabel("Token").fill(link.exec(fresh.output)![1]!.split("token=")[1]!);
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByRole("button", { name: "Organization: Harbour" })).toBeVisible();
  await expect(page.getByRole("heading", { name: /Nothing happened/ })).toBeVisible();

  await page.goto(`${url}/setup`);
  await expect(page.getByText("This installation is set up already.")).toBeVisible();

  // With an S3 store, files go there from the browser, which the pages' policy must let through.
  const { organizations } = (await (await page.request.get(`${url}/dashboard/api/me`)).json()) as {
    organizations: { id: string }[];
  };
  const { id } = organizations[0]!;
  const made = await page.request.post(`${url}/dashboard/api/organizations/${id}/conversations`, {
    data: {},
    headers: { "X-Requested-With": "parley" },
  });
  const conversation = (await made.json()) as { id: string };
  await page.goto(`${url}/organizations/${id}/conversations/${conversation.id}`);
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: DOT });
  const sent = page.waitForRequest((each) => each.method() === "PUT");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  expect((await sent).url()).toMatch(/\/papers\/.*dot\.png/);
  const image = page.getByRole("log").getByRole("img");
  await expect(image).toBeVisible();
  await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(1);
});
