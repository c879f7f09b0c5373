import { expect, test } from "vitest";
import { at, button, dialog, expectGone, ME, open, ORGANIZATION } from "./app";
import { page } from "vitest/browser";
import type { Schemas } from "../../src/api/client";

const UNKNOWN = {
  tools: null,
  images: null,
  json_schema: null,
  json_object: null,
  streaming: null,
  reasoning: null,
};

const PROVIDER = {
  id: 1,
  name: "OpenAI",
  kind: "openai",
  base_url: "https://api.openai.com/v1",
  api_version: null,
  has_credential: true,
  header_names: [],
  models: 1,
  created_by: "system",
  created_at: "2026-01-01T10:00:00Z",
  updated_by: "system",
  updated_at: "2026-01-01T10:00:00Z",
} satisfies Schemas["ModelProvider"];

const MODEL = {
  id: 1000,
  provider_id: 1,
  alias: "fast",
  name: "gpt-5-mini",
  context_tokens: 400_000,
  max_output_tokens: null,
  input_price: 0.25,
  cached_input_price: 0.025,
  output_price: 2,
  capabilities: { ...UNKNOWN, tools: true },
  is_default: false,
  allowed: true,
  created_by: "system",
  created_at: "2026-01-01T10:00:00Z",
  updated_by: "system",
  updated_at: "2026-01-01T10:00:00Z",
} satisfies Schemas["Model"];

const INSTALLATION = {
  ...MODEL,
  id: 1,
  provider_id: null,
  alias: "default",
  name: "offline",
  input_price: 0,
  cached_input_price: null,
  output_price: 0,
  is_default: true,
} satisfies Schemas["Model"];

const LISTS = {
  "GET model-providers": { items: [PROVIDER], next: null },
  "GET models": { items: [INSTALLATION, MODEL], next: null },
};

const row = () => page.getByRole("row", { name: /fast/ });

test("an admin tests a model and sees what it can do", async () => {
  await open(at("models"), {
    ...LISTS,
    "POST models/1000/test": {
      ok: true,
      latency_millis: 1234,
      capabilities: { ...UNKNOWN, tools: true, images: false },
      failures: [{ capability: "images", detail: "The chat model did not accept the request." }],
    } satisfies Schemas["ModelTestResult"],
  });
  await expect.element(row()).toHaveTextContent(/0\.025 cached.*400k tokens.*Tools/i);
  await button("Test fast").click();
  const status = page.getByRole("status").last();
  await expect.element(status).toHaveTextContent("Replied in 1.2 s");
  await expect.element(status).toHaveTextContent("images: The chat model did not accept the request.");
});

test("an edited model is sent whole, with the tag of its revision", async () => {
  let sent: unknown;
  let tag: string | null = null;
  await open(at("models"), {
    ...LISTS,
    "GET models/1000": () => Response.json(MODEL, { headers: { ETag: '"3"' } }),
    "PUT models/1000": async (request: Request) => {
      tag = request.headers.get("If-Match");
      sent = await request.json();
      return MODEL;
    },
  });
  await button("Edit fast").click();
  const form = dialog("Edit model");
  await form.getByLabelText("Output price").fill("2.5");
  await form.getByRole("switch", { name: "Default model" }).click();
  await form.getByRole("button", { name: "Save" }).click();
  await expectGone(dialog("Edit model"));
  expect(tag).toBe('"3"');
  expect(sent).toMatchObject({
    provider_id: 1,
    alias: "fast",
    output_price: 2.5,
    max_output_tokens: null,
    is_default: true,
    capabilities: { tools: true, images: null },
  });
});

test("a provider’s stored key stays when its field is empty", async () => {
  let sent: object = {};
  await open(at("models"), {
    ...LISTS,
    "GET model-providers/1": () => Response.json(PROVIDER, { headers: { ETag: '"1"' } }),
    "PATCH model-providers/1": async (request: Request) => {
      sent = (await request.json()) as object;
      return PROVIDER;
    },
  });
  await page
    .getByRole("region", { name: "OpenAI" })
    .getByRole("button", { name: "Edit", exact: true })
    .click();
  const form = dialog("Edit provider");
  await form.getByLabelText("Name").fill("OpenAI (EU)");
  await form.getByRole("button", { name: "Save" }).click();
  await expectGone(dialog("Edit provider"));
  expect(sent).toMatchObject({ name: "OpenAI (EU)" });
  expect(sent).not.toHaveProperty("credential");
  expect(sent).not.toHaveProperty("headers");
});

test("a member sees models and cannot change them", async () => {
  await open(at("models"), {
    ...LISTS,
    "GET /me": { ...ME, organizations: [{ id: ORGANIZATION, name: "Acme", role: "member" }] },
  });
  await expect.element(row()).toBeVisible();
  await expectGone(button("Test fast"));
  await expectGone(button("Add provider"));
});
