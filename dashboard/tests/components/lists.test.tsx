import { expect, test } from "vitest";
import { page } from "vitest/browser";
import {
  address,
  at,
  button,
  dialog,
  expectAddress,
  expectGone,
  heading,
  ME,
  open,
  press,
  problem,
  setOffline,
} from "./app";
import type { Schemas } from "../../src/api/client";
import { router } from "../../src/routes";

const LISTS = [
  ["emails", "state=FAILED", "emails", "No emails yet"],
  ["webhooks/deliveries", "state=FAILED", "deliveries", "No deliveries yet"],
  ["runs", "status=FAILED", "runs", "No runs yet"],
  ["conversations", "team=1", "conversations", "No conversations yet"],
  ["tickets", "overdue=true", "open tickets", "All clear"],
  ["audit-log", "time=custom&until=2001-01-01T00:00", "entries", null],
  ["tools", "search=no such tool", "tools", null],
] as const;

test.each(LISTS)(
  "%s: a list without matches says so and can clear its filters",
  async (path, filter, things, nothing) => {
    await open(at(`${path}?${filter}`));
    await expect.element(heading(`No ${things} match these filters`)).toBeVisible();
    await button(`Show all ${things}`).click();
    await expectAddress(at(path));
    if (nothing) {
      await expect.element(heading(nothing)).toBeVisible();
    }
    await expectGone(heading(`No ${things} match these filters`));
  },
);

const TIME = "2026-01-01T10:00:00Z";
const ids = ["0192f0c1a2b37c4d8e5f60718293a401", "0192f0c1a2b37c4d8e5f60718293a402"] as const;

const entry = (id: string) =>
  ({
    id,
    action: "team.created",
    actor: `user:${ME.id}`,
    address: null,
    at: TIME,
    changes: [],
    request_id: null,
    target: "team:1",
    target_exists: false,
    target_name: "Support",
    until: null,
    user_agent: null,
    user_id: ME.id,
  }) satisfies Schemas["AuditEntry"];

const email = (id: string) =>
  ({
    id,
    change: id,
    created_at: TIME,
    error: null,
    kind: "ticket",
    states: { SENT: 1 },
    subject: "Order",
    ticket_id: null,
    ticket_number: null,
    to: ["ada@parley.example"],
  }) satisfies Schemas["EmailListItem"];

const run = (id: string) =>
  ({
    workflow_instance_id: id,
    workflow_id: ids[0],
    workflow_version: 1,
    conversation_id: null,
    cost_micros: 0,
    created_at: TIME,
    created_by: `user:${ME.id}`,
    error_preview: null,
    finished_at: TIME,
    input_preview: null,
    input_tokens: 0,
    output_tokens: 0,
    rerun_of: null,
    status: "COMPLETED",
    test_run: false,
    updated_at: TIME,
  }) satisfies Schemas["WorkflowInstanceSummary"];

const delivery = (id: string) =>
  ({
    id,
    attempt_count: 1,
    blocked_by: null,
    conversation_id: null,
    created_at: TIME,
    endpoint_id: null,
    event_id: id,
    finished_at: TIME,
    last_error: null,
    last_status: 200,
    next_attempt_at: null,
    sequence: 1,
    state: "SENT",
    type: "ticket.created",
    url: "https://example.com/",
    webhook_id: id,
  }) as unknown as Schemas["WebhookDelivery"];

const page1 = (item: (id: string) => object) => ({ items: ids.map(item), next: null });

test("a failed request of new filters is shown instead of the previous rows", async () => {
  let fails = false;
  await open(at("audit-log"), {
    "GET audit-log": () => (fails ? problem(500, "Broken") : page1(entry)),
  });
  await expect.element(page.getByRole("table")).toBeVisible();
  fails = true;
  await page.getByRole("switch", { name: "Changes only" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("Something went wrong");
  await expectGone(page.getByRole("table"));
  fails = false;
  await button("Try again").click();
  await expect.element(page.getByRole("table")).toBeVisible();
});

test("an unknown filter or tab in the URL is ignored", async () => {
  await open(at("runs?hours=some"));
  await expect.element(heading("Runs")).toBeVisible();
  await router.navigate(at("webhooks/nowhere"));
  await expect.element(page.getByRole("tab", { name: "Endpoints" })).toHaveAttribute("aria-selected", "true");
});

test("more than ten organizations can be searched", async () => {
  const items = Array.from({ length: 11 }, (_, index) => ({
    id: String(index).padStart(32, "0"),
    name: `Branch ${index + 1}`,
    role: "owner",
    members: 1,
    created_at: "2026-01-01T10:00:00Z",
  }));
  await open("/organizations", { "GET /organizations": { items, next: null } });
  const branches = page.getByRole("link", { name: /^Branch/ });
  await expect.poll(() => branches.length).toBe(11);
  await page.getByLabelText("Search organizations").fill("branch 11");
  await expect.poll(() => branches.elements().map((each) => each.textContent)).toEqual(["Branch 11"]);
});

test("operators see which release each node runs", async () => {
  const node = {
    id: "1",
    name: "7@parley-1",
    version: "0.1.0",
    schema_version: 28,
    started_at: "2026-01-01T10:00:00Z",
  };
  await open("/organizations", {
    "GET /me": { ...ME, operator: true },
    "GET /nodes": {
      items: [
        { ...node, alive: true },
        { ...node, id: "2", name: "8@parley-2", version: "0.2.0", schema_version: 31, alive: false },
      ],
      next: null,
    },
  });
  const nodes = page.getByRole("region", { name: "Nodes" });
  await expect.element(nodes.getByRole("row", { name: /7@parley-1 0\.1\.0 28/ })).toBeVisible();
  await expect.element(nodes.getByRole("row", { name: /8@parley-2 \(stopped\) 0\.2\.0 31/ })).toBeVisible();
});

test("phones show the search and open the other filters with a button", async () => {
  await page.viewport(390, 844);
  for (const [path, filter, title] of [
    ["tickets?overdue=true", "Sort by", "Tickets"],
    ["runs?status=FAILED", "Started", "Runs"],
    ["agents?status=draft", "Status", "Agents"],
    ["conversations?mine=true", "Last run", "Conversations"],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one page
    await open(at(path));
    await expect.element(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
    const search = page.getByRole("searchbox");
    await expect.element(search).toBeVisible();
    const input = search.element() as HTMLInputElement;
    // The placeholder fits.
    input.value = input.placeholder;
    expect(input.scrollWidth).toBeLessThanOrEqual(input.clientWidth);
    const field = page.getByRole("combobox", { name: filter });
    await expectGone(field);
    await button("Filters (1)").click();
    await expect.element(field).toBeVisible();
    // oxlint-enable no-await-in-loop
  }
  await page.viewport(1280, 800);
});

const KEYS = [
  ["emails", "GET email-summaries", page1(email), "email"],
  ["runs", "GET instances", page1(run), "run"],
  ["webhooks/deliveries", "GET webhook-deliveries", page1(delivery), "delivery"],
] as const;

/** Moves in the list with J and K to its second row. */
async function expectKeys(one: string) {
  const row = (number: number) => page.css("tbody .rowLink").nth(number);
  await expect.element(row(1)).toBeVisible();
  await press("?");
  await expect.element(dialog().getByRole("row", { name: `Open the ${one} Enter` })).toBeVisible();
  await press("Escape");
  await expectGone(dialog());
  await press("j");
  await expect.element(row(0)).toHaveFocus();
  await press("j");
  await expect.element(row(1)).toHaveFocus();
  const cell = document.querySelector("tbody tr:nth-child(2) td")!;
  expect(getComputedStyle(cell).boxShadow).not.toBe("none");
  await press("k");
  await expect.element(row(0)).toHaveFocus();
  await press("j");
  return row;
}

test.each(KEYS)(
  "%s: J, K and Enter work, and the list goes on from the row that was open",
  async (path, list, items, one) => {
    await open(at(path), { [list]: items });
    const row = await expectKeys(one);
    await press("Enter");
    await expectAddress(at(`${path}/${ids[1]}`));
    await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
    window.history.back();
    await expect.element(row(1)).toBeVisible();
    await press("j");
    await expect.element(row(1)).toHaveFocus();
  },
);

test("J, K and Enter work in the audit log, and / goes to its search", async () => {
  await open(at("audit-log"), { "GET audit-log": page1(entry) });
  const row = await expectKeys("entry");
  await press("Enter");
  await expect.element(dialog()).toBeVisible();
  await press("Escape");
  await expect.element(row(1)).toHaveFocus();
  await press("/");
  await expect.element(page.getByLabelText("Target")).toHaveFocus();
});

test("one unavailable resource is not reported as a lost connection", async () => {
  await open(at("emails"), { "GET email-summaries": () => problem(503, "The emails could not be read.") });
  await expect.element(page.getByRole("alert")).toHaveTextContent("The emails could not be read.");
  await expectGone(page.getByText("Parley can’t be reached"));
});

test("a lost connection is reported once, and what could not be loaded appears when it is back", async () => {
  await open(at("emails?search=nothing-like-it"));
  await expect.element(heading("No emails match these filters")).toBeVisible();
  setOffline(true);
  await page.getByRole("searchbox", { name: "Search" }).fill("nothing-like-that");
  await expect.element(page.getByText("This loads as soon as the connection is back.")).toBeVisible();
  await expect.element(button("Try now")).toBeVisible();
  await expectGone(button("Try again"));
  setOffline(false);
  await expect.element(heading("No emails match these filters")).toBeVisible();
});

test("a form in a dialog says that the connection is lost, and that it is back", async () => {
  await open(at("members?dialog=invite"));
  await page.getByRole("textbox", { name: "Email" }).fill("nobody@parley.example");
  setOffline(true);
  await expect.element(page.getByText("You’re offline. Last updated")).toBeVisible();
  await button("Invite", { exact: true }).click();
  const alert = dialog().getByRole("alert");
  await expect.element(alert).toHaveTextContent("can’t reach Parley");
  setOffline(false);
  await expect.element(alert).toHaveTextContent("The connection is back");
  setOffline(true);
  await expect.element(alert).toHaveTextContent("can’t reach Parley");
  setOffline(false);
});

test("unknown addresses are shown inside the frame", async () => {
  await open(at("nowhere"));
  await expect.element(heading("Page not found")).toBeVisible();
  await expect.element(page.getByRole("navigation", { name: "Menu" })).toBeVisible();
  expect(address()).toBe(at("nowhere"));
  await router.navigate("/foo/bar");
  await expect.element(heading("Page not found")).toBeVisible();
});
