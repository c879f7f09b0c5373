import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { at, expect, picture, test, workflow } from "./parley";

const PETS = {
  openapi: "3.1.0",
  servers: [{ url: "http://127.0.0.1:9" }],
  paths: { "/pets": { get: { operationId: "listPets" } }, "/owners": { get: { operationId: "listOwners" } } },
};

test(
  "a tool can be found and called, and an unreachable provider shows its error",
  { tag: "@gate" },
  async ({ page, api }) => {
    await api.get("members");
    await page.goto(at("tools"));
    await expect(page.getByRole("link", { name: /http/i }).first()).toBeVisible();
    await picture(page, "tools", ["light", "phone"]);
    await page.getByRole("button", { name: "Add provider" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("nowhere");
    await dialog.getByLabel("Server URL").fill("http://127.0.0.1:9/mcp");
    const choose = async (method: string) => {
      await dialog.getByRole("combobox", { name: "Credentials" }).click();
      await page.getByRole("option", { name: method }).click();
    };
    await choose("Username and password");
    await dialog.getByLabel("Username").fill("ada");
    await choose("API key");
    await dialog.getByLabel(/^API key/).fill("secret-key");
    await dialog.getByLabel("Key name").fill("not a header");
    await dialog.getByRole("button", { name: "Add header" }).click();
    await dialog.getByLabel("Name of header 1").fill("X-Tenant");
    await dialog.getByLabel("Value of header 1").fill("acme-1");
    await picture(page, "new-provider");
    await dialog.getByRole("button", { name: "Add provider" }).click();
    await expect(dialog.getByText(/must be the name of a header/i)).toBeVisible();
    await dialog.getByLabel("Key name").fill("X-Key");
    await dialog.getByRole("button", { name: "Add provider" }).click();
    // The dialog stays open, so that the address can be fixed.
    await expect(dialog.getByText(/connection to the host '127.0.0.1' failed/)).toBeVisible();
    await picture(page, "unreachable-provider", ["light", "phone"]);
    await dialog.getByRole("button", { name: "Save anyway" }).click();
    await expect(dialog).toHaveCount(0);
    const row = page.getByRole("region", { name: "nowhere", exact: true });
    await expect(row.locator("[data-status=FAILED]")).toBeVisible();
    await expect(row.getByText(/API key, header X-Tenant/)).toBeVisible();

    await page.getByLabel("Search tools").fill("http");
    await expect(page).toHaveURL(at("tools?search=http"));
    await page.reload();
    await expect(page.getByLabel("Search tools")).toHaveValue("http");
    await page
      .getByRole("row", { name: /Built-in/ })
      .getByRole("link", { name: /http/i })
      .first()
      .click();
    await page.getByRole("button", { name: "Call tool" }).click();
    await expect(page.getByText("Required", { exact: true })).toBeVisible();
    await page.getByLabel("URL").first().fill("http://10.0.0.1/");
    await page.getByRole("combobox", { name: "Method" }).click();
    await page.getByRole("option", { name: "POST" }).click();
    await page.getByRole("button", { name: "Call tool" }).click();
    await expect(page.locator("main [data-status=FAILED]").first()).toBeVisible();
    await picture(page, "tool", ["light"]);
    const earlier = page.getByRole("region", { name: "Earlier calls" });
    await expect(earlier).toHaveCount(0);
    await page.reload();
    await expect(earlier.getByText("url: http://10.0.0.1/ · method: POST")).toBeVisible();
    await earlier.getByRole("button", { name: "Use again" }).click();
    await expect(page.getByLabel("URL").first()).toHaveValue("http://10.0.0.1/");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await expect(page.getByRole("button", { name: "Copied", exact: true })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("curl -X POST 'http://10.0.0.1/'");
  },
);

test("a request with headers and a text body is sent, and its result is a tree", async ({ page, api }) => {
  await api.get("members");
  const received: unknown[] = [];
  const server = createServer(async (request, answer) => {
    received.push([request.headers["x-tenant"], await text(request)]);
    answer.setHeader("Content-Type", "application/json").end('{"pets": [{"name": "Rex"}]}');
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  await page.goto(at("tools/1"));
  await page
    .getByLabel("URL")
    .first()
    .fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.getByRole("button", { name: "Add to headers" }).click();
  await page.getByLabel("Name 1 of headers").fill("X-Tenant");
  await page.getByLabel("Value 1 of headers").fill("7");
  await page.getByRole("textbox", { name: "Body" }).fill('A "text"\nof two lines');
  await page.getByRole("button", { name: "Call tool" }).click();
  const result = page.getByRole("region", { name: "result" });
  await expect(result).toContainText("name: Rex");
  expect(received).toEqual([["7", 'A "text"\nof two lines']]);
  await picture(page, "tool-result", ["light", "dark", "phone"]);
  await page.getByRole("radiogroup", { name: "View of result" }).getByText("JSON").click();
  await expect(page.getByLabel("result", { exact: true })).toContainText('"status": 200');

  // JSON that is not valid is refused before the call.
  await page.getByRole("radiogroup", { name: "Format of body" }).getByText("JSON").click();
  await page.getByRole("textbox", { name: "Body" }).fill("{");
  await page.getByRole("button", { name: "Call tool" }).click();
  await expect(page.getByText("This isn’t valid JSON", { exact: false })).toBeVisible();
  server.close();
});

test("a provider is edited by two people, disabled and removed", async ({ page, newOrganization }) => {
  const { at: inOrganization, api } = await newOrganization("Providers");
  const { id } = await api.post("tool-providers", {
    name: "pets",
    kind: "openapi",
    document: PETS,
    credentials: { bearer_token: "abc" },
  });
  const { items } = (await api.get(`tools?provider_id=${String(id)}`)) as { items: { tool_id: number }[] };
  await api.post("workflows?allow_invalid=true", {
    name: "Pet finder",
    tasks: [{ id: "ask", kind: "AI", name: "Ask", tools: [items[0]!.tool_id] }],
  });
  await page.goto(inOrganization("tools"));
  const card = page.getByRole("region", { name: "pets", exact: true });
  await expect(card.getByRole("link", { name: "Pet finder" })).toBeVisible();
  await card.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit “pets”" });
  await expect(dialog.getByRole("combobox", { name: "Credentials" })).toHaveValue(
    /current ones \(bearer token\)/,
  );
  await dialog.getByLabel("Description").fill("My pets");
  await picture(page, "edit-provider", ["light", "phone"]);

  await api.answer("PATCH", `tool-providers/${String(id)}`, { description: "Their pets" });
  await dialog.getByRole("button", { name: "Save" }).click();
  const conflict = page.getByRole("dialog", { name: /Changed by/ });
  await expect(conflict).toContainText("Their pets");
  await picture(page, "provider-conflict");
  await conflict.getByRole("button", { name: "Keep mine" }).click();
  await expect(card.getByText("My pets")).toBeVisible();
  await expect(card).toContainText("credentials: bearer token");

  await card.getByRole("switch", { name: "Enable pets" }).click();
  await expect(card.locator("[data-status=Disabled]")).toBeVisible();
  await expect(card.getByText("2 tools")).toBeVisible();
  await expect(card.getByRole("row")).toHaveCount(3);
  await card.getByRole("link", { name: "listPets" }).click();
  await expect(page.getByText("“pets” is disabled")).toBeVisible();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await expect(page.getByRole("button", { name: "Copied", exact: true })).toBeVisible();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain("curl 'http://127.0.0.1:9/pets' \\\n  -H 'Accept: ");
  // No credentials.
  expect(command).not.toContain("abc");
  await page.getByRole("main").getByRole("link", { name: "pets", exact: true }).click();
  await card.getByRole("button", { name: "pets", exact: true }).click();
  await expect(card.getByRole("row")).toHaveCount(0);
  await card.getByRole("button", { name: "Remove" }).click();
  const removal = page.getByRole("dialog", { name: "Remove “pets”?" });
  await expect(removal.getByRole("region", { name: "Used by" })).toContainText("Pet finder (draft)");
  await picture(page, "remove-provider");
  await removal.getByRole("button", { name: "Remove provider" }).click();
  await expect(card).toHaveCount(0);
});

test("search accepts any word, even one used in the URLs of other pages", async ({ page, api }) => {
  const id = await workflow(api, "Web lookup");
  await page.goto(at("tools"));
  await page.getByLabel("Search tools").fill("all");
  await expect(page).toHaveURL(at("tools?search=all"));
  const menu = page.getByRole("navigation", { name: "Menu" });
  await menu.getByRole("link", { name: "Agents" }).click();
  await expect(page).toHaveURL(at("agents"));
  // Of a long list, only the agents near the window are rendered.
  await page.getByLabel("Search", { exact: true }).fill("Web lookup");
  await page.getByRole("link", { name: "Web lookup", exact: true }).click();
  await page.locator(".react-flow__node").first().click();
  await expect(page.getByRole("combobox", { name: "Tool" })).toBeVisible();
  expect(page.url()).toContain(id);
  await page.goto(at("tools?search=http"));
  await menu.getByRole("link", { name: "Tools" }).click();
  await expect(page).toHaveURL(at("tools"));
  await expect(page.getByLabel("Search tools")).toHaveValue("");
});
