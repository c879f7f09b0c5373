import type { Locator } from "@playwright/test";
import { at, expect, picture, service, start, test, ticketOf } from "./parley";

/** Page, dialog name in the URL, button that opens it, title, and the initially focused element. */
const dialogs = () =>
  [
    [at("agents"), "new-agent", "New agent", "New agent", "Name"],
    [at("api-access"), "new-key", "Create API key", "Create API key", "Name"],
    [at("conversations"), "new-conversation", "New conversation", "New conversation", "Chat with"],
    [at("code"), "new-code", "New code", "New code", "Name"],
    [at("data"), "add-data", "Add data set", "Add data set", "File"],
    [at("members"), "invite", "Invite member", "Invite member", "Email"],
    [at("tools"), "add-provider", "Add provider", "Add provider", "Type"],
    [at("webhooks"), "add-endpoint", "Add endpoint", "Add endpoint", "URL"],
    [at("settings"), "delete", "Delete…", "Delete “Demo”?", "Cancel"],
    [`${service.url}/organizations`, "new-organization", "New organization", "New organization", "Name"],
  ] as const;

test("a dialog has a URL, focuses its first field, and closes with Back", async ({ page, api }) => {
  await api.get("members");
  for (const [address, name, action, title, field] of dialogs()) {
    // oxlint-disable no-await-in-loop -- one browser window
    await page.goto(address);
    await page.getByRole("button", { name: action }).first().click();
    const dialog = page.getByRole("dialog", { name: title });
    await expect(dialog).toBeVisible();
    await expect(page).toHaveURL(`${address}?dialog=${name}`);
    await expect(page.locator("*:focus")).toHaveAccessibleName(new RegExp(`^${field}`));
    await expect(page.getByRole("listbox")).toHaveCount(0);
    await page.goBack();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(address);
    // oxlint-enable no-await-in-loop
  }
  await page.goto(at("agents?dialog=new-agent"));
  await page.getByRole("dialog").getByLabel("Name").fill("Created by link");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Created by link" })).toBeVisible();
  await page.goto(at("api-access?dialog=new-key"));
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(at("api-access"));
});

test("a dialog asks before it discards what was typed", async ({ page, api }) => {
  await api.get("members");
  await page.goto(at("members"));
  await page.getByRole("button", { name: "Invite members" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite members" });
  await dialog.getByLabel("Email").fill("ada@acme.example");
  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog", { name: "Discard your entries?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(question).toHaveCount(0);
  await expect(dialog.getByLabel("Email")).toHaveValue("ada@acme.example");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  // Without entries there is nothing to ask.
  await page.getByRole("button", { name: "Invite members" }).click();
  await expect(dialog.getByLabel("Email")).toHaveValue("");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a dialog forgets one-time secrets and the errors of other items", async ({ page, api, newMember }) => {
  await page.goto(at("api-access"));
  const create = page.getByRole("button", { name: "Create API key" });
  await create.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Shown once");
  await dialog.getByRole("button", { name: "Create API key" }).click();
  await expect(dialog.getByLabel("API key")).toHaveValue(/^sk-/);
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await create.click();
  await expect(dialog.getByLabel("Name")).toHaveValue("");

  const { id } = await newMember("Nora", "member");
  await page.goto(at("members"));
  const remove = async (name: string) => {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Remove from organization" }).click();
  };
  // The last owner cannot be removed.
  await remove("Demo");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await remove("Nora");
  await expect(dialog).toContainText("Remove Nora?");
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await api.answer("DELETE", `members/${id}`);
});

test("errors of the server appear at the inputs that they name, until these change", async ({
  page,
  api,
}) => {
  await api.get("members");
  const dialog = page.getByRole("dialog");
  const expectError = async (input: Locator, text: RegExp) => {
    await expect(input).toHaveAccessibleDescription(text);
    await expect(dialog.getByRole("alert")).toHaveCount(0);
  };
  await page.goto(at("api-access?dialog=new-key"));
  await dialog.getByLabel("Name").fill("Never valid");
  await dialog.getByRole("combobox", { name: "Expiration" }).click();
  await page.getByRole("option", { name: "Custom date…" }).click();
  const expiration = dialog.getByLabel("Expires on");
  await expiration.fill("2001-01-01T00:00");
  await dialog.getByRole("button", { name: "Create API key" }).click();
  await expectError(expiration, /Must be in the future/);
  await expiration.fill("2999-01-01T00:00");
  await expect(expiration).not.toHaveAccessibleDescription(/Must be in the future/);
  await dialog.getByRole("button", { name: "Create API key" }).click();
  await expect(dialog.getByLabel("API key")).toHaveValue(/^sk-/);

  await page.goto(at("tools?dialog=add-provider"));
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("tower");
  await dialog.getByLabel("Server URL").fill("https://tower.example/mcp");
  await dialog.getByRole("combobox", { name: "Credentials" }).click();
  await page.getByRole("option", { name: "Bearer token" }).click();
  const token = dialog.getByRole("textbox", { name: "Bearer token" });
  await token.fill("ü");
  await dialog.getByRole("button", { name: "Add provider" }).click();
  await expectError(token, /Must have at most/);
});

test("a link to an admin dialog opens nothing for a member", async ({ newMember }) => {
  const { member } = await newMember("Linus", "member");
  await member.goto(at("api-access?dialog=new-key"));
  await expect(member.getByRole("heading", { name: "API keys", exact: true })).toBeVisible();
  await expect(member.getByRole("dialog")).toHaveCount(0);
});

test("Ctrl+K finds pages, things and actions, by name, number and ID", async ({ page, api }) => {
  const run = await start(api, "Travel request", {
    human_msg: "To Rome by ferry",
    inputs: { destination: "Rome", days: 3, budget: 900 },
  });
  const ticket = await api.get(`tickets/${ticketOf(run)}`);
  const team = await api.post("teams", { name: "Palm office" });
  const conversation = await api.post("conversations", {});
  await api.post(`conversations/${String(conversation.id)}/messages`, { content: "Offer for palm trees" });
  await page.goto(at("overview"));
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  const palette = page.getByRole("dialog", { name: "Search or run a command" });
  const field = palette.getByRole("combobox");
  const search = async (text: string, option: string | RegExp) => {
    await page.keyboard.press("Control+k");
    await field.fill(text);
    await expect(palette.getByRole("option", { selected: true })).toHaveAccessibleName(option);
    await page.keyboard.press("Enter");
    await expect(palette).toHaveCount(0);
  };

  await search("new agent", /^New agent/);
  await expect(page.getByRole("dialog", { name: "New agent" })).toBeVisible();
  await page.keyboard.press("Escape");
  await search(`#${String(ticket.number)}`, new RegExp(`^#${String(ticket.number)} `));
  await expect(page).toHaveURL(at(`tickets/${String(ticket.id)}`));
  await expect(page.getByRole("heading", { level: 1, name: `#${String(ticket.number)}` })).toBeVisible();
  await search("overveiw", /^Overview/);
  await search("go to teams", /^Teams/);
  await expect(page).toHaveURL(at("teams"));
  await search(`open ticket ${String(ticket.number)}`, new RegExp(`^#${String(ticket.number)} `));
  await search(`ticket ${String(ticket.number)}`, new RegExp(`^#${String(ticket.number)} `));
  await expect(page).toHaveURL(at(`tickets/${String(ticket.id)}`));
  await search("claim", /^Claim/);
  await expect(page.getByRole("button", { name: "Release" })).toBeVisible();
  await search("reassign", /^Reassign/);
  await expect(page.getByRole("dialog", { name: "Reassign ticket" })).toBeVisible();
  await page.keyboard.press("Escape");
  await search("release", /^Release/);
  await expect(page.getByRole("button", { name: "Claim" })).toBeVisible();
  await search("overdue", /^Overdue tickets/);
  await expect(page).toHaveURL(at("tickets?assignee=all&overdue=true&sort=due"));
  await search(run.workflow_instance_id.slice(0, 24), /^Run of Travel request/);
  await expect(page.getByRole("heading", { name: "Run of Travel request" })).toBeVisible();
  await search("run again", /^Run again/);
  const rerun = page.getByRole("dialog", { name: "Run again" });
  await expect(rerun).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(rerun).toHaveCount(0);
  await search("PALM TREES", /^Offer for palm trees/);
  await expect(page).toHaveURL(at(`conversations/${String(conversation.id)}?q=PALM%20TREES`));
  await search("plam treees", /^Offer for palm trees/);
  await search("palm office", /^Palm office.*Team/);
  await expect(page).toHaveURL(at(`teams/${String(team.id)}`));
  // A visited conversation is listed once.
  await page.keyboard.press("Control+k");
  await field.fill("palm trees");
  await expect(palette.getByRole("option", { name: /^Offer for palm trees.*Conversation/ })).toHaveCount(1);
  await expect(palette.getByText("Recent", { exact: true })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.goto(`${service.url}/organizations`);
  await expect(page.getByRole("heading", { name: "Organizations" })).toBeVisible();
  await search("demo", /^Demo.*Organization/);
  await expect(page).toHaveURL(at("overview"));
  await search("http request", /^(Send an )?HTTP request/i);
  await expect(page).toHaveURL(/\/tools\/\d+$/);

  // Keys that are pressed before the field has the focus are part of the text.
  await page.evaluate(async () => {
    const press = (key: string, ctrlKey = false) =>
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent("keydown", {
          key,
          code: `Key${key.toUpperCase()}`,
          ctrlKey,
          bubbles: true,
          cancelable: true,
        }),
      );
    press("k", true);
    await new Promise((done) => setTimeout(done));
    ["t", "e", "a", "m"].forEach((key) => press(key));
  });
  await expect(field).toHaveValue("team");
  await page.keyboard.press("Escape");

  // What was visited is offered first.
  await page.keyboard.press("Control+k");
  await expect(palette.getByText("Recent", { exact: true })).toBeVisible();
  await expect(palette.getByRole("option", { name: /^Run of Travel request/ })).toBeVisible();
  await picture(page, "command-palette", ["light", "dark", "phone"]);
  await field.fill("rome by ferry");
  await expect(
    palette.getByRole("option", { name: /^Run of Travel request.*To Rome by ferry/ }),
  ).toBeVisible();
  await expect(palette.locator("mark", { hasText: "Rome" }).first()).toBeVisible();
  await field.fill(`#${String(ticket.number)}`);
  await expect(palette.getByText(/^Travel request · Unclaimed/)).toBeInViewport({ ratio: 1 });
  await field.fill("zzzz");
  await expect(palette.getByText("No results for “zzzz”.")).toBeVisible();
  await field.fill("theme dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await search("shortcuts", /^Keyboard shortcuts/);
  const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(shortcuts).toBeVisible();
  // A checkbox takes no text.
  await page.goto(at("runs"));
  await page.locator("tbody").getByRole("checkbox").first().check();
  await page.keyboard.press("?");
  await expect(shortcuts).toBeVisible();
});

test("closing the command palette returns the focus, and G goes to pages", async ({ page, api }) => {
  const conversation = await api.post("conversations", {});
  await page.goto(at(`conversations/${String(conversation.id)}`));
  const message = page.getByRole("textbox", { name: "Message" });
  await message.click();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Name, number, text or command" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(message).toBeFocused();
  // In a field, they are letters.
  await page.keyboard.type("go");
  await expect(message).toHaveValue("go");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await expect(page.getByRole("heading", { level: 1, name: "Tickets" })).toBeVisible();
});

test("keys typed while the command palette loads are searched for and trigger no shortcuts", async ({
  page,
  api,
}) => {
  await api.get("members");
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/CommandPalette*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(at("tickets"));
  await expect(page.getByRole("heading", { name: "Tickets", exact: true })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("?members");
  release();
  const palette = page.getByRole("dialog", { name: "Search or run a command" });
  await expect(palette.getByRole("combobox")).toHaveValue("?members");
  await expect(page.getByRole("dialog")).toHaveCount(1);
});
