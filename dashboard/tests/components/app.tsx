import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { expect } from "vitest";
import { locators, page, userEvent, type Locator } from "vitest/browser";
import type { Schemas } from "../../src/api/client";
import { setSessionUser } from "../../src/api/session";
import { App } from "../../src/App";
import { forgetUnsavedChanges } from "../../src/components/leaveGuard";
import { queryClient } from "../../src/api/queryClient";
import { router } from "../../src/routes";

export const ORGANIZATION = "0192f0c1a2b37c4d8e5f60718293a4b5";
const USER = "0192f0c1a2b37c4d8e5f60718293a4b6";

/** The path of a page of the organization. */
export const at = (path: string) => `/organizations/${ORGANIZATION}/${path}`;

export const ME = {
  id: USER,
  name: "Ada",
  email: "ada@parley.example",
  email_proven: true,
  emails_sent: true,
  standby: false,
  operator: false,
  cost_currency: "USD",
  organizations: [{ id: ORGANIZATION, name: "Acme", role: "owner" }],
} satisfies Schemas["Me"];

/** A response: its JSON body, or a function that returns it or a whole response. */
type Answer = object | ((request: Request) => object | Response | Promise<object | Response>);

/** Responses by method and path, such as "POST teams"; paths that begin with a slash belong to no organization. */
type Answers = Record<string, Answer>;

const DEFAULTS: Answers = {
  "GET /me": ME,
  "GET /setup": {},
  "GET ": {
    id: ORGANIZATION,
    name: "Acme",
    role: "owner",
    members: 1,
    messages_per_minute: null,
    message_limit: 1000,
    default_message_limit: 1000,
    allowed_models: null,
    created_at: "2026-01-01T10:00:00Z",
    updated_at: "2026-01-01T10:00:00Z",
    updated_by: "system",
  } satisfies Schemas["Organization"],
  "GET overview": () => problem(404, "Not found"),
};

const ENDS_WITH_ID = /\/[0-9a-f]{32}$/;

/** Lists that a test does not give are empty; single things do not exist. */
const EMPTY = { items: [], next: null, count: 0, or_more: false };

const BASE = "/dashboard/api";

/** Changes that no test expected, and script errors. */
const complaints: string[] = [];
let answers: Answers = {};
let isOffline = false;
let root: Root | undefined;

/** All requests of the test as "METHOD path". */
export const requests: string[] = [];

/** An error of the API. */
export const problem = (status: number, detail: string, rest: object = {}) =>
  Response.json({ status, title: "Error", detail, ...rest }, { status });

async function respond(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const path = pathname.slice(BASE.length);
  const inOrganization = `/organizations/${ORGANIZATION}`;
  const name = path.startsWith(inOrganization) ? path.slice(inOrganization.length + 1) : path;
  const key = `${request.method} ${name}`;
  requests.push(key);
  if (isOffline) {
    throw new TypeError("Failed to fetch");
  }
  const found = answers[key] ?? (request.method === "GET" && !ENDS_WITH_ID.test(name) ? EMPTY : undefined);
  if (found === undefined) {
    if (request.method !== "GET") {
      complaints.push(`Unexpected request: ${key}`);
    }
    return problem(404, "Not found");
  }
  const body = typeof found === "function" ? await (found as (sent: Request) => unknown)(request) : found;
  return body instanceof Response ? body : Response.json(body);
}

/** Cuts or restores the connection. */
export function setOffline(offline: boolean) {
  isOffline = offline;
  Object.defineProperty(navigator, "onLine", { configurable: true, value: !offline });
  window.dispatchEvent(new Event(offline ? "offline" : "online"));
}

class NoEvents extends EventTarget {
  close() {}
}

/** Called before each test. */
export function reset() {
  answers = DEFAULTS;
  if (isOffline) {
    setOffline(false);
  }
  requests.length = 0;
  globalThis.fetch = (input, init) => respond(new Request(input, init));
  Object.assign(globalThis, { EventSource: NoEvents });
}

const onError = (event: ErrorEvent) => complaints.push(event.message);
window.addEventListener("error", onError);

/** Called after each test. */
export async function cleanUp() {
  root?.unmount();
  root = undefined;
  // Then pages have saved what they save on leaving.
  await new Promise((done) => requestAnimationFrame(done));
  document.body.replaceChildren();
  forgetUnsavedChanges();
  queryClient.clear();
  notifications.clean();
  setSessionUser(null);
  localStorage.clear();
  sessionStorage.clear();
  expect(complaints.splice(0)).toEqual([]);
}

/** Renders a component alone. */
export function render(component: ReactNode) {
  root ??= createRoot(document.body.appendChild(document.createElement("div")));
  root.render(<App>{component}</App>);
}

/** Opens a page of the dashboard. */
export async function open(path: string, more: Answers = {}) {
  answers = { ...answers, ...more };
  await router.navigate(path);
  render(<RouterProvider router={router} />);
}

/** The address of the page, without its origin. */
export const address = () => window.location.pathname + window.location.search;

declare module "vitest/browser" {
  interface LocatorSelectors {
    css: (selector: string) => Locator;
  }
}

locators.extend({ css: (selector: string) => `css=${selector}` });

/** Presses keys such as "Control+z" one after the other. */
export const press = (...keys: string[]) => userEvent.keyboard(keys.map(keyOf).join(""));

/** The key as user-event writes it. */
function keyOf(key: string): string {
  const parts = key.split("+");
  const last = parts.pop()!;
  const down = parts.map((each) => `{${each}>}`).join("");
  const up = parts.map((each) => `{/${each}}`).join("");
  return `${down}${last.length > 1 ? `{${last}}` : last}${up}`;
}

/** Types a text into the focused element. */
export const type = (text: string) => userEvent.keyboard(text.replace(/[{[]/g, "$&$&"));

export const button = (name: string | RegExp, options = {}) => page.getByRole("button", { name, ...options });
export const dialog = (name?: string | RegExp) =>
  page.getByRole("dialog", name === undefined ? {} : { name });
export const heading = (name: string | RegExp) => page.getByRole("heading", { name, exact: true });

export const expectCount = (locator: Locator, count: number) => expect.poll(() => locator.length).toBe(count);
export const expectGone = (locator: Locator) => expectCount(locator, 0);
export const expectAddress = (expected: string | RegExp) =>
  typeof expected === "string" ? expect.poll(address).toBe(expected) : expect.poll(address).toMatch(expected);
