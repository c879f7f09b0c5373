import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type axe from "axe-core";
import { expect, test as base, type APIResponse, type BrowserContext, type Page } from "@playwright/test";

type Json = Record<string, unknown>;

/** The short form, of which a page reads half as much. */
const AXE = readFileSync(resolve(import.meta.dirname, "../node_modules/axe-core/axe.min.js"), "utf8");

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
  get session() {
    return process.env.TEST_SESSION ?? "";
  },
  /** The demo user's id. */
  get user() {
    return process.env.TEST_USER ?? "";
  },
  /** Where the objects are that its data lakes may read, below `acme/`. */
  get bucket() {
    return process.env.TEST_BUCKET ?? "";
  },
  get password() {
    return process.env.TEST_PASSWORD ?? "";
  },
};

/** Address of a page of the demo organization. */
export const at = (path: string, organization = service.organization) =>
  `${service.url}/organizations/${organization}/${path}`;

/** Requests to the organization's part of the dashboard's API, in the page's session. */
export class Api {
  constructor(
    private readonly page: Page,
    private readonly organization = service.organization,
  ) {}

  get(path: string): Promise<Json> {
    return this.ask("GET", path);
  }

  post(path: string, body: Json = {}): Promise<Json> {
    return this.ask("POST", path, body);
  }

  private async ask(method: string, path: string, body?: Json): Promise<Json> {
    const answer = await this.answer(method, path, body);
    if (!answer.ok()) {
      throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    }
    return (await answer.json()) as Json;
  }

  /** What the service answers, be it a refusal. */
  answer(method: string, path: string, body?: Json): Promise<APIResponse> {
    return this.page.request.fetch(
      `${service.url}/dashboard/api/organizations/${this.organization}/${path}`.replace(/\/$/, ""),
      { method, data: body, headers: { "X-Requested-With": "parley" } },
    );
  }
}

/** Signs the page's browser in; the status of the answer. */
export async function signIn(page: Page, email: string, password: string): Promise<number> {
  const answer = await page.request.post(`${service.url}/dashboard/api/login`, {
    data: { email, password },
    headers: { "X-Requested-With": "parley" },
  });
  return answer.status();
}

/** A person who joined, with a browser of their own. */
interface NewMember {
  id: string;
  email: string;
  password: string;
  member: Page;
  api: Api;
}

/** Accepts an invitation by its token: with a password for a new account, without one as whoever is signed in. */
export function accept(browser: BrowserContext, token: unknown, body: Json): Promise<APIResponse> {
  return browser.request.post(`${service.url}/dashboard/api/invitations/${String(token)}`, {
    data: body,
    headers: { "X-Requested-With": "parley" },
  });
}

/** An organization of a test's own, where nothing is that the test did not bring. */
interface NewOrganization {
  at: (path: string) => string;
  api: Api;
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

export interface Run {
  workflow_instance_id: string;
  status: string;
  tasks: { id: string; ticket_id: string | null; status: string }[];
}

/** Starts a run of the draft with that name, and waits so long for its end or pause. */
export async function start(api: Api, name: string, body: Json, seconds = 20): Promise<Run> {
  const id = await workflow(api, name);
  return (await api.post(`workflows/${id}/test-run?wait_seconds=${seconds}`, body)) as unknown as Run;
}

/** Waits until the run has that status; code runs behind everything else, so on a busy machine it takes its time. */
export async function expectStatus(api: Api, run: Run, status: string) {
  await expect
    .poll(async () => (await api.get(`instances/${run.workflow_instance_id}`)).status, { timeout: 60_000 })
    .toBe(status);
}

/** The ticket that the run waits for. */
export function ticketOf(run: Run): string {
  const id = run.tasks.find((each) => each.ticket_id)?.ticket_id;
  expect(id, JSON.stringify(run)).toBeTruthy();
  return id!;
}

/** Notes what scripts and the policy complain about; requests that are refused are part of many a story. */
function watch(page: Page, complaints: string[]) {
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (line) => {
    if (line.type() === "error" && !/status of 4\d\d/.test(line.text())) {
      complaints.push(line.text());
    }
  });
}

const OPTIONS = { locale: "en-GB", timezoneId: "Europe/Vienna", viewport: { width: 1280, height: 800 } };

/** A page that is signed in by the session of all tests, its API, and a watch for what the policy or a script complained about. */
export const test = base.extend<
  {
    api: Api;
    complaints: string[];
    newMember: (name: string, role: string) => Promise<NewMember>;
    newOrganization: (name: string) => Promise<NewOrganization>;
  },
  { browserOfAll: BrowserContext }
>({
  // A worker's tests share what its browser has loaded, which takes a third off each; nothing else is left behind.
  browserOfAll: [
    async ({ browser }, provide) => {
      const context = await browser.newContext(OPTIONS);
      await provide(context);
      await context.close();
    },
    { scope: "worker" },
  ],
  context: async ({ browserOfAll }, provide) => {
    await browserOfAll.clearCookies();
    await provide(browserOfAll);
  },
  page: async ({ context }, provide) => {
    const page = await context.newPage();
    await provide(page);
    await page.evaluate(() => localStorage.clear()).catch(() => null);
    await Promise.all(context.pages().map((each) => each.close()));
  },
  complaints: [
    async ({ page }, provide) => {
      const complaints: string[] = [];
      watch(page, complaints);
      await provide(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
  api: async ({ page }, provide) => {
    const cookie = {
      name: "parley_session",
      value: service.session,
      httpOnly: true,
      sameSite: "Strict",
    } as const;
    await page.context().addCookies([{ ...cookie, url: service.url }]);
    await provide(new Api(page));
  },
  newMember: async ({ api, browser, complaints }, provide) => {
    const contexts: BrowserContext[] = [];
    await provide(async (name, role) => {
      const email = `${name.toLowerCase()}@parley.example`;
      const password = `the password of ${name}`;
      const added = await api.post("members", { name, email, role });
      const context = await browser.newContext();
      contexts.push(context);
      const joined = await accept(context, added.invitation_token, { password });
      expect(joined.status(), await joined.text()).toBe(200);
      const { id } = (await joined.json()) as { id: string };
      const member = await context.newPage();
      watch(member, complaints);
      return { id, email, password, member, api: new Api(member) };
    });
    await Promise.all(contexts.map((each) => each.close()));
  },
  newOrganization: async ({ page, api }, provide) => {
    const made: Api[] = [];
    await provide(async (name) => {
      const answer = await page.request.post(`${service.url}/dashboard/api/organizations`, {
        data: { name },
        headers: { "X-Requested-With": "parley" },
      });
      expect(answer.status(), await answer.text()).toBe(201);
      const { id } = (await answer.json()) as { id: string };
      const own = new Api(page, id);
      made.push(own);
      return { at: (path) => at(path, id), api: own };
    });
    await Promise.all(made.map((each) => each.answer("DELETE", "")));
    expect(api).toBeTruthy();
  },
});

export { expect };

/** A picture of one dot. */
export const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/**
 * No serious or critical violation of axe's rules on what is shown now. Where the same was checked in other colours
 * already, those alone are left to look at.
 */
export async function expectAccessible(page: Page, { onlyColours = false } = {}) {
  // Colours are measured wrongly while something still fades in.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((each) => each.finished.catch(() => null))),
  );
  if (!(await page.evaluate(() => "axe" in globalThis))) {
    await page.evaluate(AXE);
  }
  const violations = await page.evaluate(async (colours) => {
    const { axe: checker } = globalThis as unknown as { axe: typeof axe };
    const found = await checker.run(document, {
      resultTypes: ["violations"],
      // No rule in use reads style sheets and media files, which are else fetched each time.
      preload: false,
      ...(colours ? { runOnly: ["color-contrast"] } : {}),
    });
    return found.violations
      .filter((each) => each.impact === "serious" || each.impact === "critical")
      .map(
        (each) =>
          `${each.id}: ${each.nodes.map((node) => node.html + " " + node.failureSummary).join("\n  ")}`,
      );
  }, onlyColours);
  expect(violations).toEqual([]);
}

const SIZES = new Map<string, Promise<number>>();

/** All scripts that the page loads from now on, with their sizes as they are sent; the same file is weighed once. */
export function scriptsOf(page: Page): Map<string, Promise<number>> {
  const scripts = new Map<string, Promise<number>>();
  page.on("response", (answer) => {
    if (answer.url().endsWith(".js")) {
      const size = SIZES.get(answer.url()) ?? answer.body().then((body) => gzipSync(body).length);
      SIZES.set(answer.url(), size);
      scripts.set(answer.url(), size);
    }
  });
  return scripts;
}

const BUDGET = 300 * 1024;

/** What a first load may cost: the graph and the code editor come when they are needed. */
export async function expectWithinBudget(scripts: Map<string, Promise<number>>) {
  const sizes = await Promise.all(scripts.values());
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.reduce((all, each) => all + each, 0)).toBeLessThan(BUDGET);
}

const PHONE = { width: 390, height: 844 };
const LAPTOP = { width: 1280, height: 800 };

/**
 * Checks accessibility light, dark, and as a phone shows it; writes screenshots when PARLEY_SCREENSHOTS is set, so that
 * tests else leave the working tree as it was.
 */
export async function picture(page: Page, name: string, kinds: ("light" | "dark" | "phone")[] = ["light"]) {
  // What an earlier step was told by does not belong into the picture.
  const told = page.locator(".mantine-Notification-closeButton");
  for (let left = await told.count(); left > 0; left--) {
    // Some go by themselves meanwhile.
    // oxlint-disable-next-line no-await-in-loop
    await told
      .first()
      .click({ timeout: 1_000 })
      .catch(() => null);
  }
  for (const kind of kinds) {
    // oxlint-disable no-await-in-loop -- one browser window
    await page.setViewportSize(kind === "phone" ? PHONE : LAPTOP);
    await page.emulateMedia({ colorScheme: kind === "dark" ? "dark" : "light", reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute(
      "data-mantine-color-scheme",
      kind === "dark" ? "dark" : "light",
    );
    await expectAccessible(page, { onlyColours: kind === "dark" && kinds.includes("light") });
    if (process.env.PARLEY_SCREENSHOTS) {
      await page.screenshot({ path: `screenshots/${name}-${kind}.png`, animations: "disabled" });
    }
    // oxlint-enable no-await-in-loop
  }
  await page.setViewportSize(LAPTOP);
  await page.emulateMedia({ colorScheme: "light" });
}
