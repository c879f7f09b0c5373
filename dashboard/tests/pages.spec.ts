import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { at, BUDGET, expect, expectAccessible, expectWithinBudget, picture, scriptsOf, test } from "./parley";

const PAGES = [
  "overview",
  "tickets",
  "conversations",
  "agents",
  "runs",
  "tools",
  "models",
  "code",
  "data",
  "api-access",
  "webhooks",
  "webhooks/deliveries",
  "members",
  "teams",
  "usage",
  "emails",
  "settings",
  "audit-log",
];

/** Other tests check the accessibility of these pages with more content. */
const CHECKED_ELSEWHERE = ["overview", "tickets", "agents", "code", "api-access", "audit-log"];

test.describe.configure({ mode: "parallel" });

test("every page of the menu is accessible", { tag: "@gate" }, async ({ page, api }) => {
  await api.get("members");
  await page.goto(at("overview"));
  for (const path of PAGES) {
    // oxlint-disable no-await-in-loop -- one browser window
    await page
      .locator(
        path.endsWith("deliveries") ? "[role=tab][aria-controls$=deliveries]" : `nav a[href$="/${path}"]`,
      )
      .first()
      .click();
    await expect(page).toHaveURL(at(path));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    await picture(page, path.replace("/", "-"));
    // oxlint-enable no-await-in-loop
  }
});

test("the scripts of every page are within the budget", { tag: "@gate" }, () => {
  const dist = resolve(import.meta.dirname, "../dist");
  const manifest = JSON.parse(readFileSync(resolve(dist, "manifest.json"), "utf8")) as Record<
    string,
    { file: string; src?: string; imports?: string[] }
  >;
  const collect = (name: string, found: Set<string>): Set<string> => {
    const { file, imports = [] } = manifest[name]!;
    if (!found.has(file)) {
      found.add(file);
      imports.forEach((each) => collect(each, found));
    }
    return found;
  };
  const sizeOf = (file: string) => gzipSync(readFileSync(resolve(dist, file))).length;
  // The graph and the code editor load on demand.
  const pages = Object.keys(manifest).filter((each) =>
    /\/(\w+s|SignIn|Overview|Code|Data|AuditLog)Page\.tsx$/.test(each),
  );
  expect(pages.length).toBeGreaterThan(15);
  for (const each of pages) {
    // The first load has the command palette, too.
    const files = ["index.html", "src/layout/CommandPalette.tsx", each].reduce(
      (found, name) => collect(name, found),
      new Set<string>(),
    );
    expect(
      [...files].reduce((all, file) => all + sizeOf(file), 0),
      each,
    ).toBeLessThan(BUDGET);
  }
});

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
