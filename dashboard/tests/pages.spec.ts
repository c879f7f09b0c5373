import { at, expect, expectAccessible, expectWithinBudget, scriptsOf, test } from "./parley";

const PAGES = [
  "overview",
  "tickets",
  "conversations",
  "agents",
  "runs",
  "tools",
  "code",
  "data",
  "api-access",
  "webhooks",
  "webhooks/deliveries",
  "members",
  "teams",
  "emails",
  "settings",
  "audit-log",
];

/** Other tests check the accessibility of these pages with more content. */
const CHECKED_ELSEWHERE = ["overview", "tickets", "agents", "code", "api-access", "audit-log"];

test.describe.configure({ mode: "parallel" });

for (const path of PAGES) {
  test(`${path} loads quickly and is accessible in light and dark`, async ({ page, api }) => {
    await api.get("members");
    await page.emulateMedia({ reducedMotion: "reduce" });
    const scripts = scriptsOf(page);
    await page.goto(at(path));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    for (const colorScheme of CHECKED_ELSEWHERE.includes(path) ? [] : (["light", "dark"] as const)) {
      // oxlint-disable no-await-in-loop -- one browser window
      await page.emulateMedia({ colorScheme });
      await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
      await expectAccessible(page, { onlyColors: colorScheme === "dark" });
      // oxlint-enable no-await-in-loop
    }
    await expectWithinBudget(scripts);
  });
}

test("a page opens at the top, and Back restores the scroll position", async ({ page, newOrganization }) => {
  const { at: inOrganization, api } = await newOrganization("Scrolling");
  for (let number = 1; number <= 10; number++) {
    const agent = { name: `Agent ${number}`, assignment_rules: [], tasks: [], connections: [] };
    // oxlint-disable-next-line no-await-in-loop -- the newest comes first
    await api.post("workflows?allow_invalid=true", agent);
  }
  await page.setViewportSize({ width: 1280, height: 360 });
  await page.goto(inOrganization("agents"));
  const oldest = page.getByRole("link", { name: "Agent 1", exact: true });
  await oldest.scrollIntoViewIfNeeded();
  const scrolled = () => page.evaluate(() => window.scrollY);
  await expect.poll(scrolled).toBeGreaterThan(0);
  await oldest.click();
  await expect(page).toHaveURL(/\/agents\/\w+$/);
  await expect(page.getByRole("button", { name: /^Publish/ })).toBeVisible();
  expect(await scrolled()).toBe(0);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Agents", exact: true })).toBeVisible();
  await expect.poll(scrolled).toBeGreaterThan(0);
});
