import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { Schemas } from "../../src/api/client";
import { at, button, dialog, expectAddress, expectGone, heading, open } from "./app";

const TIME = "2026-01-01T10:00:00Z";

const BUDGET = {
  id: 1,
  scope: "WORKFLOW",
  scope_id: "0192f0c1a2b37c4d8e5f60718293a401",
  scope_name: "Invoices",
  period: "MONTH",
  unit: "COST",
  limit: 50_000_000,
  used: 42_000_000,
  reserved: 1_000_000,
  state: "WARNED",
  resets_at: "2036-02-01T00:00:00Z",
  created_at: TIME,
  created_by: "system",
  updated_at: TIME,
  updated_by: "system",
  revision: 3,
} satisfies Schemas["Budget"];

const ROW = {
  key: "default",
  name: null,
  calls: 12,
  input_tokens: 3400,
  cached_tokens: 200,
  output_tokens: 560,
  reasoning_tokens: 40,
  cost_micros: 2_500_000,
} satisfies Schemas["ModelUsage"];

const USAGE = { from: "2026-01-01", to: "2026-01-30", items: [ROW] };

test("a budget shows its use, and an admin changes its limit", async () => {
  let sent: unknown;
  let tag: string | null = null;
  await open(at("usage"), {
    "GET budgets": { items: [BUDGET], next: null },
    "GET usage/models": USAGE,
    "PATCH budgets/1": async (request: Request) => {
      tag = request.headers.get("If-Match");
      sent = await request.json();
      return { ...BUDGET, limit: 80_500_000 };
    },
  });
  await expect.element(page.getByText("Agent “Invoices”")).toBeVisible();
  await expect.element(page.getByText("$42.00 used, $1.00 reserved by calls in progress")).toBeVisible();
  await expect.element(page.getByText("Over 80%")).toBeVisible();
  await button("More actions").click();
  await page.getByRole("menuitem", { name: "Change limit…" }).click();
  await dialog("Change limit").getByLabelText("Limit in USD").fill("80.5");
  await dialog("Change limit").getByRole("button", { name: "Change limit" }).click();
  await expectGone(dialog("Change limit"));
  expect(sent).toEqual({ limit: 80_500_000 });
  expect(tag).toBe('"3"');
});

test("a budget in tokens is created for the organization", async () => {
  let sent: unknown;
  await open(at("usage?dialog=new-budget"), {
    "GET usage/models": { ...USAGE, items: [] },
    "POST budgets": async (request: Request) => {
      sent = await request.json();
      return Response.json(BUDGET, { status: 201 });
    },
  });
  const form = dialog("New budget");
  await form.getByText("Tokens", { exact: true }).click();
  await form.getByText("Per day").click();
  await form.getByLabelText("Limit in tokens").fill("250000");
  await form.getByRole("button", { name: "Create budget" }).click();
  await expectGone(dialog("New budget"));
  expect(sent).toEqual({ scope: "ORGANIZATION", period: "DAY", unit: "TOKENS", limit: 250_000 });
  await expect.element(heading("No calls of models in this period")).toBeVisible();
});

test("usage is grouped as chosen, and exported likewise", async () => {
  await open(at("usage"), { "GET usage/models": USAGE });
  await expect.element(page.getByRole("cell", { name: "default" })).toBeVisible();
  await expect.element(page.getByRole("cell", { name: "$2.50" }).first()).toBeVisible();
  await page.getByText("API key", { exact: true }).click();
  await expectAddress(at("usage?by=api_key"));
  await expect
    .element(page.getByRole("link", { name: "Export CSV" }))
    .toHaveAttribute(
      "href",
      expect.stringMatching(/usage\/models\/export\?from=\d{4}-\d\d-\d\d&group_by=api_key$/),
    );
});
