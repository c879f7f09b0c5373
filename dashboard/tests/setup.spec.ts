import { readFileSync } from "node:fs";
import { DOT, expect, picture, test } from "./parley";
import { launch } from "./service";
import { startStore } from "./uploadStore";

/** A second service with an S3 store that is not set up yet. */
const freshTest = test.extend<{ fresh: { url: string; output: () => string } }>({
  fresh: async ({ page }, provide) => {
    const store = await startStore();
    const { url, output, stop } = await launch({ PARLEY_DEMO: "false", ...store.settings });
    await provide({ url, output: () => readFileSync(output, "utf8") });
    // The page would report that it cannot reach the service.
    await page.close();
    await stop();
    store.stop();
  },
});

freshTest(
  "the first user sets up Parley with the link from the server log, using an S3 store",
  { tag: "@gate" },
  async ({ page, fresh }) => {
    const { url } = fresh;
    const link = /\S+(\/setup\?token=\S+)/;
    await expect.poll(fresh.output).toMatch(link);
    await page.goto(`${url}/sign-in`);
    await page.getByRole("link", { name: "Complete the setup" }).click();
    await expect(page.getByLabel("Setup token")).toBeVisible();

    await page.goto(`${url}/setup?token=guessed`);
    await expect(page.getByText(/token doesn’t match/)).toBeVisible();
    await page.getByLabel("Your name").fill("Grace");
    await page.getByLabel("Email").fill("grace@parley.example");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByLabel("Organization").fill("Harbour");
    await page.getByRole("button", { name: "Set up" }).click();
    await expect(page.getByText(/8 to 128/)).toBeVisible();
    await page.getByLabel("Password", { exact: true }).fill("a long enough password");
    await page.getByRole("button", { name: "Set up" }).click();
    await expect(page.getByText(/token doesn’t match/)).toBeVisible();
    await picture(page, "set-up", ["light", "dark", "phone"]);
    await page.getByLabel("Setup token").fill(link.exec(fresh.output())![1]!.split("token=")[1]!);
    await page.getByRole("button", { name: "Set up" }).click();
    await expect(page.getByRole("button", { name: "Organization: Harbour" })).toBeVisible();
    await expect(page.getByText("Build an agent from a template")).toBeVisible();

    await page.goto(`${url}/setup`);
    await expect(page.getByText("Parley has already been set up.")).toBeVisible();

    // Browsers upload directly to the S3 store, which the content security policy must allow.
    const { organizations } = (await (await page.request.get(`${url}/dashboard/api/me`)).json()) as {
      organizations: { id: string }[];
    };
    const { id } = organizations[0]!;
    const created = await page.request.post(`${url}/dashboard/api/organizations/${id}/conversations`, {
      data: {},
      headers: { "X-Requested-With": "parley" },
    });
    const conversation = (await created.json()) as { id: string };
    await page.goto(`${url}/organizations/${id}/conversations/${conversation.id}`);
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: DOT });
    const sent = page.waitForRequest((each) => each.method() === "PUT");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    expect((await sent).url()).toMatch(/\/papers\/.*dot\.png/);
    const image = page.getByRole("log").locator("img");
    await expect(image).toBeVisible();
    await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(1);
  },
);
