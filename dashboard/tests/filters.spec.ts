import type { Locator } from "@playwright/test";
import { at, expect, service, test } from "./parley";

const LISTS = [
  ["emails", "state=FAILED", "emails", "No emails yet"],
  ["webhooks/deliveries", "state=FAILED", "deliveries", "No deliveries yet"],
  ["runs", "status=FAILED", "runs", "No runs yet"],
  ["conversations", "team=1", "conversations", "No conversations yet"],
  ["tickets", "overdue=true", "open tickets", "All clear"],
  ["audit-log", "time=custom&until=2001-01-01T00:00", "entries", null],
  ["tools", "search=no such tool", "tools", null],
] as const;

test("a list without matches says so and can clear its filters", async ({ page, newOrganization }) => {
  const office = await newOrganization("Quiet office");
  for (const [path, filter, things, nothing] of LISTS) {
    // oxlint-disable no-await-in-loop -- one browser window
    await page.goto(office.at(`${path}?${filter}`));
    const filtered = page.getByRole("heading", { name: `No ${things} match these filters` });
    await expect(filtered).toBeVisible();
    await page.getByRole("button", { name: `Show all ${things}` }).click();
    await expect(page).toHaveURL(office.at(path));
    await expect(filtered).toHaveCount(0);
    if (nothing) {
      await expect(page.getByRole("heading", { name: nothing })).toBeVisible();
    } else {
      await expect(page.getByRole("table")).toBeVisible();
    }
    // oxlint-enable no-await-in-loop
  }
  await expect(page.getByLabel("Search tools")).toHaveValue("");
});

test("a failed request of new filters is shown instead of the previous rows", async ({
  page,
  newOrganization,
  complaints,
}) => {
  const office = await newOrganization("Failing office");
  await page.goto(office.at("audit-log"));
  await expect(page.getByRole("table")).toBeVisible();
  const failing = /\/audit-log\?(?!.*changes_only)/;
  await page.route(failing, (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole("switch", { name: "Changes only" }).click();
  await expect(page.getByRole("alert")).toContainText("Something went wrong");
  await expect(page.getByRole("table")).toHaveCount(0);
  await page.unroute(failing);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("table")).toBeVisible();
  // The browser reports the failed requests.
  complaints.length = 0;
});

test("an unknown filter in the URL is ignored", async ({ page, api }) => {
  await api.get("members");
  await page.goto(at("runs?hours=some"));
  await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
  await page.goto(at("webhooks/nowhere"));
  await expect(page.getByRole("tab", { name: "Endpoints" })).toHaveAttribute("aria-selected", "true");
});

test("more than ten organizations can be searched", async ({ page, api }) => {
  await api.get("members");
  await page.route(/\/dashboard\/api\/organizations\?/, async (route) => {
    const response = await route.fetch();
    const { items } = (await response.json()) as { items: object[] };
    const branches = Array.from({ length: 11 }, (_, index) => ({
      ...items[0],
      id: String(index).padStart(32, "0"),
      name: `Branch ${index + 1}`,
    }));
    await route.fulfill({ response, json: { items: branches, next: null } });
  });
  await page.goto(`${service.url}/organizations`);
  const branches = page.getByRole("link", { name: /^Branch/ });
  await expect(branches).toHaveCount(11);
  await page.getByLabel("Search organizations").fill("branch 11");
  await expect(branches).toHaveText(["Branch 11"]);
});

test("phones show the search and open the other filters with a button", async ({ page, api }) => {
  await api.get("members");
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [path, filter] of [
    ["tickets?overdue=true", "Sort by"],
    ["runs?status=FAILED", "Started"],
    ["agents?status=draft", "Status"],
    ["conversations?mine=true", "Last run"],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one browser window
    await page.goto(at(path));
    const search = page.getByRole("searchbox");
    await expect(search).toBeVisible();
    const fits = await search.evaluate((input: HTMLInputElement) => {
      input.value = input.placeholder;
      return input.scrollWidth <= input.clientWidth;
    });
    expect(fits).toBe(true);
    const field = page.getByRole("combobox", { name: filter });
    await expect(field).toBeHidden();
    await page.getByRole("button", { name: "Filters (1)" }).click();
    await expect(field).toBeVisible();
    // oxlint-enable no-await-in-loop
  }
  // Without saved views, the button is below the title.
  await page.goto(at("conversations"));
  const left = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect().left);
  expect(await left(page.getByRole("button", { name: "New conversation" }))).toBe(
    await left(page.getByRole("heading", { name: "Conversations" })),
  );
});
