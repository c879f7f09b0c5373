import AxeSource from "axe-core";
import { expect, test as base, type Page } from "@playwright/test";

type Json = Record<string, unknown>;

/** The service under test and what its demo organization is entered with. */
export const service = {
  get url() {
    return process.env.TEST_URL ?? "";
  },
  get organization() {
    return process.env.TEST_ORGANIZATION ?? "";
  },
  get email() {
    return process.env.TEST_EMAIL ?? "";
  },
  get apiKey() {
    return process.env.TEST_API_KEY ?? "";
  },
  get password() {
    return process.env.TEST_PASSWORD ?? "";
  },
};

/** Address of a page of the demo organization. */
export const at = (path: string) => `${service.url}/organizations/${service.organization}/${path}`;

/** Requests to the organization's part of the dashboard's API, in the page's session. */
export class Api {
  constructor(private readonly page: Page) {}

  get(path: string): Promise<Json> {
    return this.ask("GET", path);
  }

  post(path: string, body: Json = {}): Promise<Json> {
    return this.ask("POST", path, body);
  }

  private async ask(method: string, path: string, body?: Json): Promise<Json> {
    const answer = await this.page.request.fetch(
      `${service.url}/dashboard/api/organizations/${service.organization}/${path}`,
      { method, data: body, headers: { "X-Requested-With": "parley" } },
    );
    if (!answer.ok()) {
      throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    }
    return (await answer.json()) as Json;
  }
}

/** A document of examples/ in the demo organization, by its name. */
export async function workflow(api: Api, name: string): Promise<string> {
  const { items } = (await api.get("workflows?limit=100")) as { items: { id: string; name: string }[] };
  const found = items.find((each) => each.name === name);
  if (!found) {
    throw new Error(`no workflow is called ${name}: ${items.map((each) => each.name).join(", ")}`);
  }
  return found.id;
}

/** A page that is signed in, its API, and a watch for what the policy or a script complained about. */
export const test = base.extend<{ api: Api; complaints: string[] }>({
  complaints: [
    async ({ page }, provide) => {
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("console", (line) => {
        if (line.type() === "error" && !/status of 4\d\d/.test(line.text())) {
          complaints.push(line.text());
        }
      });
      await provide(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
  api: async ({ page }, provide) => {
    const answer = await page.request.post(`${service.url}/dashboard/api/login`, {
      data: { email: service.email, password: service.password },
      headers: { "X-Requested-With": "parley" },
    });
    expect(answer.status()).toBe(200);
    await provide(new Api(page));
  },
});

export { expect };

/** No serious or critical violation of axe's rules on what is shown now. */
export async function expectAccessible(page: Page) {
  // Colours are measured wrongly while something still fades in.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((each) => each.finished.catch(() => null))),
  );
  await page.evaluate(AxeSource.source);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof AxeSource };
    const found = await axe.run(document, { resultTypes: ["violations"] });
    return found.violations
      .filter((each) => each.impact === "serious" || each.impact === "critical")
      .map(
        (each) =>
          `${each.id}: ${each.nodes.map((node) => node.html + " " + node.failureSummary).join("\n  ")}`,
      );
  });
  expect(violations).toEqual([]);
}

const PHONE = { width: 390, height: 844 };
const LAPTOP = { width: 1280, height: 800 };

/** Checks accessibility and writes a screenshot, light, dark, and as a phone shows it. */
export async function picture(page: Page, name: string, kinds: ("light" | "dark" | "phone")[] = ["light"]) {
  for (const kind of kinds) {
    // oxlint-disable no-await-in-loop -- one browser window
    await page.setViewportSize(kind === "phone" ? PHONE : LAPTOP);
    await page.emulateMedia({ colorScheme: kind === "dark" ? "dark" : "light", reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute(
      "data-mantine-color-scheme",
      kind === "dark" ? "dark" : "light",
    );
    await expectAccessible(page);
    await page.screenshot({ path: `screenshots/${name}-${kind}.png`, animations: "disabled" });
    // oxlint-enable no-await-in-loop
  }
  await page.setViewportSize(LAPTOP);
  await page.emulateMedia({ colorScheme: "light" });
}
