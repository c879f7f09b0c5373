import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type axe from "axe-core";
import {
  expect,
  test as base,
  type APIResponse,
  type BrowserContext,
  type Page,
  type Response,
} from "@playwright/test";

type Json = Record<string, unknown>;

/** The minified build, which loads faster. */
const AXE = readFileSync(resolve(import.meta.dirname, "../node_modules/axe-core/axe.min.js"), "utf8");

/** The service under test and the credentials of its demo organization. */
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
  /** The demo user's ID. */
  get user() {
    return process.env.TEST_USER ?? "";
  },
  /** The S3 bucket whose `acme/` prefix data sets may read. */
  get bucket() {
    return process.env.TEST_BUCKET ?? "";
  },
  get password() {
    return process.env.TEST_PASSWORD ?? "";
  },
};

/** The URL of a page of the demo organization. */
export const at = (path: string, organization = service.organization) =>
  `${service.url}/organizations/${organization}/${path}`;

/** Calls the organization's dashboard API with the page's session. */
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

  /** Returns the response even if it is an error. */
  answer(method: string, path: string, body?: Json): Promise<APIResponse> {
    return this.page.request.fetch(
      `${service.url}/dashboard/api/organizations/${this.organization}/${path}`.replace(/\/$/, ""),
      { method, data: body, headers: { "X-Requested-With": "parley" } },
    );
  }
}

/** Signs in the page's browser and returns the status of the response. */
export async function signIn(page: Page, email: string, password: string): Promise<number> {
  const answer = await page.request.post(`${service.url}/dashboard/api/login`, {
    data: { email, password },
    headers: { "X-Requested-With": "parley" },
  });
  return answer.status();
}

/** A new member with a browser of their own. */
interface NewMember {
  id: string;
  email: string;
  password: string;
  member: Page;
  api: Api;
}

/** Accepts an invitation: with a password for a new account, without one for the signed-in account. */
export function accept(browser: BrowserContext, token: unknown, body: Json): Promise<APIResponse> {
  return browser.request.post(`${service.url}/dashboard/api/invitations/${String(token)}`, {
    data: body,
    headers: { "X-Requested-With": "parley" },
  });
}

/** An empty organization for a single test. */
interface NewOrganization {
  at: (path: string) => string;
  api: Api;
}

/** Returns the ID of a published agent of the demo organization by its name, or else of a draft with this name. */
export async function workflow(api: Api, name: string): Promise<string> {
  const { items } = (await api.get("workflows?limit=100")) as {
    items: { id: string; name: string; published_version: number | null }[];
  };
  const named = items.filter((each) => each.name === name);
  // Tests create agents with the names of the demo's.
  const found = named.find((each) => each.published_version) ?? named[0];
  if (!found) {
    throw new Error(`No workflow named ${name}: ${items.map((each) => each.name).join(", ")}`);
  }
  return found.id;
}

export interface Run {
  workflow_instance_id: string;
  workflow_id: string;
  status: string;
  tasks: { id: string; ticket_id: string | null; status: string }[];
}

/** Starts a test run of an agent by its name. */
export const trigger = async (api: Api, name: string, body: Json): Promise<Run> =>
  (await api.post(`workflows/${await workflow(api, name)}/test-run?wait_seconds=0`, body)) as unknown as Run;

/** Starts a test run of an agent by its name and waits until it finishes or pauses. */
export const start = async (api: Api, name: string, body: Json): Promise<Run> =>
  testRun(api, await workflow(api, name), body);

/** Starts a test run of an agent by its ID and waits until it finishes or pauses. */
export const testRun = async (api: Api, id: unknown, body: Json = {}): Promise<Run> =>
  settled(api, await api.post(`workflows/${String(id)}/test-run?wait_seconds=20`, body));

/** Waits until a run finishes or pauses; on a busy machine this can take longer than the API waits. */
export async function settled(api: Api, started: Json): Promise<Run> {
  let run = started as unknown as Run;
  await expect
    .poll(async () => {
      if (run.status === "RUNNING") {
        run = (await api.get(`instances/${run.workflow_instance_id}`)) as unknown as Run;
      }
      return run.status;
    })
    .not.toBe("RUNNING");
  return run;
}

/** Waits for a status of the run. */
export async function expectStatus(api: Api, run: Run, status: string) {
  await expect.poll(async () => (await api.get(`instances/${run.workflow_instance_id}`)).status).toBe(status);
}

/** The ticket that the run is waiting for. */
export function ticketOf(run: Run): string {
  const id = run.tasks.find((each) => each.ticket_id)?.ticket_id;
  expect(id, JSON.stringify(run)).toBeTruthy();
  return id!;
}

/** Collects script errors and policy violations; 4xx responses are expected in many tests. */
function watch(page: Page, complaints: string[]) {
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (line) => {
    if (line.type() === "error" && !/status of 4\d\d/.test(line.text())) {
      complaints.push(line.text());
    }
  });
}

const OPTIONS = {
  locale: "en-GB",
  timezoneId: "Europe/Vienna",
  viewport: { width: 1280, height: 800 },
  reducedMotion: "reduce",
} as const;

/** Fixtures: a page with the shared session, its API, and a check for script errors and policy violations. */
export const test = base.extend<
  {
    api: Api;
    complaints: string[];
    newMember: (name: string, role: string) => Promise<NewMember>;
    newOrganization: (name: string) => Promise<NewOrganization>;
  },
  { sharedContext: BrowserContext }
>({
  // Tests of a worker share the browser cache, which saves a third of their time. All other state is cleared.
  sharedContext: [
    async ({ browser }, provide) => {
      const context = await browser.newContext(OPTIONS);
      await provide(context);
      await context.close();
    },
    { scope: "worker" },
  ],
  context: async ({ sharedContext }, provide) => {
    await sharedContext.clearCookies();
    await provide(sharedContext);
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
  newMember: async ({ api, browser, complaints }, provide, { retry }) => {
    const contexts: BrowserContext[] = [];
    await provide(async (name, role) => {
      // An earlier try of the test has used its address.
      const email = `${name.toLowerCase()}${retry === 0 ? "" : retry}@parley.example`;
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
    const created: Api[] = [];
    await provide(async (name) => {
      const answer = await page.request.post(`${service.url}/dashboard/api/organizations`, {
        data: { name },
        headers: { "X-Requested-With": "parley" },
      });
      expect(answer.status(), await answer.text()).toBe(201);
      const { id } = (await answer.json()) as { id: string };
      const own = new Api(page, id);
      created.push(own);
      return { at: (path) => at(path, id), api: own };
    });
    await Promise.all(created.map((each) => each.answer("DELETE", "")));
    expect(api).toBeTruthy();
  },
});

export { expect };

/** Waits until the editor has saved the draft of its agent. */
export const expectDraftSaved = (page: Page) => expect(page.getByText(/^Draft saved /)).toBeVisible();

/** A PNG of one pixel. */
export const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Expects no axe violations. `onlyColors` limits the check to contrast, for a second color scheme. */
export async function expectAccessible(page: Page, { onlyColors = false } = {}) {
  // axe measures wrong colors during animations; loading indicators never end.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((each) => each.effect?.getComputedTiming().iterations !== Infinity)
        .map((each) => each.finished.catch(() => null)),
    ),
  );
  if (!(await page.evaluate(() => "axe" in globalThis))) {
    await page.evaluate(AXE);
  }
  const violationsOf = async (contrastOnly: boolean) => {
    const { axe: checker } = globalThis as unknown as { axe: typeof axe };
    const found = await checker.run(document, {
      resultTypes: ["violations"],
      // No rule in use needs style sheets or media files, which axe would fetch each time.
      preload: false,
      // WCAG 2.2 added the first rule, which axe leaves out by default. Popovers are rendered beside the page's regions.
      rules: { "target-size": { enabled: true }, region: { enabled: false } },
      ...(contrastOnly ? { runOnly: ["color-contrast"] } : {}),
    });
    return found.violations.map(
      (each) => `${each.id}: ${each.nodes.map((node) => node.html + " " + node.failureSummary).join("\n  ")}`,
    );
  };
  // A menu has violations while it closes.
  await expect.poll(() => page.evaluate(violationsOf, onlyColors), { timeout: 15_000 }).toEqual([]);
}

const SIZES = new Map<string, Promise<number>>();

/** The compressed size, or 0 for an answer whose page was closed before the body arrived. */
async function sizeOf(answer: Response) {
  try {
    return gzipSync(await answer.body()).length;
  } catch {
    SIZES.delete(answer.url());
    return 0;
  }
}

/** The scripts that the page loads from now on, with their compressed sizes. */
export function scriptsOf(page: Page): Map<string, Promise<number>> {
  const scripts = new Map<string, Promise<number>>();
  page.on("response", (answer) => {
    if (answer.url().endsWith(".js")) {
      const size = SIZES.get(answer.url()) ?? sizeOf(answer);
      SIZES.set(answer.url(), size);
      scripts.set(answer.url(), size);
    }
  });
  return scripts;
}

export const BUDGET = 300 * 1024;

/** The budget for the first load; the graph and the code editor load on demand. */
export async function expectWithinBudget(scripts: Map<string, Promise<number>>) {
  const sizes = await Promise.all(scripts.values());
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.reduce((all, each) => all + each, 0)).toBeLessThan(BUDGET);
}

/** The pages that this worker has checked in the gate. */
const CHECKED = new Set<string>();

/** The page's address without IDs and filters. */
const pageOf = (page: Page) => new URL(page.url()).pathname.replace(/\/[^/]*\d[^/]*/g, "/:id");

const PHONE = { width: 390, height: 844 };
const LAPTOP = { width: 1280, height: 800 };

/**
 * Checks accessibility in light, dark and phone layouts; the gate checks each page once. Takes screenshots only if
 * PARLEY_SCREENSHOTS is set.
 */
export async function picture(page: Page, name: string, all: ("light" | "dark" | "phone")[] = ["light"]) {
  const isGate = base.info().project.name === "gate";
  if (isGate && CHECKED.has(pageOf(page))) {
    return;
  }
  CHECKED.add(pageOf(page));
  const kinds = isGate ? all.slice(0, 1) : all;
  // Close notifications of earlier steps.
  const closeButtons = page.locator(".mantine-Notification-closeButton");
  for (let left = await closeButtons.count(); left > 0; left--) {
    // Some close by themselves.
    // oxlint-disable-next-line no-await-in-loop
    await closeButtons
      .first()
      .click({ timeout: 1_000 })
      .catch(() => null);
  }
  for (const kind of kinds) {
    // oxlint-disable no-await-in-loop -- one browser window
    await page.setViewportSize(kind === "phone" ? PHONE : LAPTOP);
    await page.emulateMedia({ colorScheme: kind === "dark" ? "dark" : "light" });
    await expect(page.locator("html")).toHaveAttribute(
      "data-mantine-color-scheme",
      kind === "dark" ? "dark" : "light",
    );
    await expectAccessible(page, { onlyColors: kind === "dark" && kinds.includes("light") });
    if (process.env.PARLEY_SCREENSHOTS) {
      await page.screenshot({ path: `results/screenshots/${name}-${kind}.png`, animations: "disabled" });
    }
    // oxlint-enable no-await-in-loop
  }
  await page.setViewportSize(LAPTOP);
  await page.emulateMedia({ colorScheme: "light" });
}
