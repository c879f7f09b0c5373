import type { Page } from "@playwright/test";
import { at, expect, expectDraftSaved, picture, service, test, type Api } from "./parley";

const EMPTY = { name: "Porter", assignment_rules: [], tasks: [] };

const agent = async (api: Api): Promise<string> =>
  String((await api.post("workflows?allow_invalid=true", EMPTY)).id);

const nameField = (page: Page) =>
  page.getByRole("complementary", { name: "Properties" }).getByRole("textbox", { name: "Name", exact: true });

test("when the session ends, the editor asks for the password and saves afterwards", async ({
  page,
  api,
  newMember,
}) => {
  const other = await newMember("Otto", "member");
  const id = await agent(api);
  await page.goto(at(`agents/${id}`));
  await nameField(page).fill("Night porter");
  await page.context().clearCookies();
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await expect(dialog.getByLabel("Email")).toHaveValue(service.email);
  await picture(page, "session-ended", ["light", "dark", "phone"]);
  await dialog.getByLabel("Password", { exact: true }).fill("not this one");
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByLabel("Password", { exact: true }).fill(service.password);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("heading", { name: "Night porter" })).toBeVisible();
  await expect.poll(async () => (await api.get(`workflows/${id}`)).name).toBe("Night porter");

  await expectDraftSaved(page);

  // Another person signs in in another tab: this page sends nothing in that person's name.
  await nameField(page).fill("Day porter");
  await page.context().clearCookies();
  await expect(dialog).toBeVisible();
  const tab = await page.context().newPage();
  await tab.goto(`${service.url}/sign-in`);
  await tab.getByLabel("Email").fill(other.email);
  await tab.getByLabel("Password", { exact: true }).fill(other.password);
  await tab.getByRole("button", { name: "Sign in" }).click();
  await expect(tab.getByRole("heading", { name: "Overview", exact: true })).toBeVisible();
  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(dialog.getByText("Otto is signed in in this browser.")).toBeVisible();
  expect((await other.api.get(`workflows/${id}`)).name).toBe("Night porter");
});

test(
  "edits are saved by themselves and on leaving, and looking at an agent saves nothing",
  { tag: "@gate" },
  async ({ page, api, newMember }) => {
    const otto = await newMember("Ottokar", "member");
    const id = await agent(api);
    const saves: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "PUT" && request.url().includes(`/workflows/${id}?`)) {
        saves.push(request.url());
      }
    });
    await page.goto(at(`agents/${id}`));
    await nameField(page).click();
    await page.keyboard.press("Control+s");
    await page.getByText("Test run", { exact: true }).click();
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
    expect(saves).toEqual([]);

    // An incomplete task is saved, too, and typing does not send each key.
    await page.goto(at(`agents/${id}`));
    await page.getByRole("button", { name: "Add AI task" }).click();
    await expect(nameField(page)).toHaveValue("AI task");
    await nameField(page).fill("");
    await nameField(page).pressSequentially("Let guests in");
    await expect(page.getByText("Saving…", { exact: true })).toBeVisible();
    await expectDraftSaved(page);
    expect(saves.length).toBeLessThan(4);
    await expect(page.getByRole("button", { name: /^Publish/ })).toBeDisabled();
    await otto.member.goto(at(`agents/${id}?task=ai`));
    await expect(nameField(otto.member)).toHaveValue("Let guests in");

    await nameField(page).fill("Welcome guests");
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
    expect(await api.get(`workflows/${id}`)).toMatchObject({
      document: { tasks: [{ name: "Welcome guests" }] },
    });
  },
);

test("what an outage holds back stays in the browser, and is saved when it ends", async ({
  page,
  api,
  complaints,
}) => {
  const id = await agent(api);
  const nameOnServer = async () => (await api.get(`workflows/${id}`)).name;
  await page.goto(at(`agents/${id}`));
  await expect(nameField(page)).toHaveValue("Porter");
  await page.context().setOffline(true);
  await nameField(page).fill("Night porter");
  await expect(page.getByText("Not saved: offline, kept in this browser")).toBeVisible();
  await picture(page, "agent-offline", ["light", "dark", "phone"]);
  await page.context().setOffline(false);
  await expectDraftSaved(page);
  expect(await nameOnServer()).toBe("Night porter");

  // Errors of the server are retried.
  const isDraft = (url: URL) => url.pathname.endsWith(`/workflows/${id}`);
  await page.route(isDraft, (route) => route.fulfill({ status: 500, json: { detail: "Out of order." } }));
  await nameField(page).fill("Late porter");
  await expect(page.getByText("Not saved: Out of order. Kept in this browser.")).toBeVisible();
  await page.unroute(isDraft);
  await expectDraftSaved(page);
  expect(await nameOnServer()).toBe("Late porter");

  // Leaving during an outage asks first; the changes are offered later.
  await page.context().setOffline(true);
  await nameField(page).fill("Day porter");
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(nameField(page)).toHaveValue("Day porter");
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(nameField(page)).toHaveCount(0);
  await page.context().setOffline(false);
  // The page loads by itself what it could not load offline.
  await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
  await page.goto(at(`agents/${id}`));
  await expect(nameField(page)).toHaveValue("Late porter");
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(nameField(page)).toHaveValue("Day porter");
  await expectDraftSaved(page);
  expect(await nameOnServer()).toBe("Day porter");
  await page.reload();
  await expect(nameField(page)).toHaveValue("Day porter");
  await expect(page.getByText(/Unsaved changes from/)).toHaveCount(0);
  // The browser reports the failed requests.
  complaints.length = 0;
});

test(
  "two editors of one agent: the second one to save compares and chooses",
  { tag: "@gate" },
  async ({ page, api, newMember }) => {
    const otto = await newMember("Otilie", "member");
    const id = await agent(api);
    const nameOnServer = async () => (await api.get(`workflows/${id}`)).name;
    await page.goto(at(`agents/${id}`));
    await expect(nameField(page)).toHaveValue("Porter");
    await otto.member.goto(at(`agents/${id}`));
    await nameField(otto.member).fill("Day porter");
    await expectDraftSaved(otto.member);

    await nameField(page).fill("Night porter");
    const dialog = page.getByRole("dialog", { name: /^Changed by Otilie/ });
    await expect(dialog.getByText('−   "name": "Day porter",')).toBeVisible();
    await expect(dialog.getByText('+   "name": "Night porter",')).toBeVisible();
    await picture(page, "conflict", ["light", "dark", "phone"]);
    await dialog.getByRole("button", { name: "Decide later" }).click();
    await expect(page.getByText("Not saved: changed by Otilie", { exact: true })).toBeVisible();
    await nameField(page).fill("Evening porter");
    await page.getByRole("button", { name: "Compare" }).click();
    await expect(dialog.getByText('+   "name": "Evening porter",')).toBeVisible();
    expect(await nameOnServer()).toBe("Day porter");
    await dialog.getByRole("button", { name: "Keep mine" }).click();
    await expectDraftSaved(page);
    expect(await nameOnServer()).toBe("Evening porter");

    // The other person takes the newer version, and publishes nothing that they do not see.
    await nameField(otto.member).fill("Doorman");
    const theirs = otto.member.getByRole("dialog", { name: /^Changed by/ });
    await theirs.getByRole("button", { name: "Take theirs" }).click();
    await expect(nameField(otto.member)).toHaveValue("Evening porter");
    await expectDraftSaved(otto.member);
    expect(await nameOnServer()).toBe("Evening porter");
  },
);

test("JSON text that cannot be parsed is kept, and cannot be saved or published", async ({ page, api }) => {
  const id = await agent(api);
  await page.goto(at(`agents/${id}?view=json`));
  const json = page.getByRole("textbox", { name: "Agent as JSON" });
  await json.getByText('"Porter"').dblclick();
  await page.keyboard.type('Night " porter');
  await expect(page.getByText(/^Invalid JSON: /).first()).toBeVisible();
  await expect(page.getByText("Ready to publish.")).toHaveCount(0);
  await expect(page.getByText("1 issue to fix before publishing")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Publish/ })).toBeDisabled();
  await expect(page.getByText("Not saved: the JSON text has an error", { exact: true })).toBeVisible();

  await page.getByText("Graph", { exact: true }).click();
  await expect(page.getByText(/Your JSON text has an error/)).toBeVisible();
  await page.getByRole("button", { name: "Edit JSON" }).click();
  await expect(json).toContainText('Night " porter');
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith("parley.draft:")));
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(json).toContainText('Night " porter');
});

test("code is kept on leaving, saved by Ctrl+S, and marked where it does not parse", async ({
  page,
  api,
}) => {
  const { id } = await api.post("code-artifacts", {
    name: "Keeper",
    language: "javascript",
    source: "function main() { return {}; }\n",
  });
  await page.goto(at(`code/${String(id)}`));
  const source = page.getByRole("textbox", { name: "Source" });
  await source.press("Control+End");
  await page.keyboard.type("const half = ;");
  await expect(page.locator(".cm-lint-marker-error")).toBeVisible();

  await page.getByRole("link", { name: "Data", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { name: "Data", exact: true })).toBeVisible();
  await page.goto(at(`code/${String(id)}`));
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(source).toContainText("const half = ;");
  await source.press("Control+End");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("1;");
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("dialog").getByText("+ const half = 1;")).toBeVisible();
  await picture(page, "code-compare", ["light"]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add input" }).click();
  await picture(page, "code-editor", ["light", "dark", "phone"]);
  await page.keyboard.press("Control+s");
  await expect(page.getByRole("combobox", { name: "Version" })).toHaveValue("Version 2");
  const saved = await api.get(`code-artifacts/${String(id)}`);
  expect(saved.source).toContain("const half = 1;");
  expect(saved.inputs).toMatchObject([{ name: "input_1", type: "STRING" }]);
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("dialog").getByText("+ Input input_1: STRING")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText(/Unsaved changes from/)).toHaveCount(0);
});

test("leaving asks about a name that was not saved", async ({ page, api }) => {
  await api.get("members");
  for (const [address, label] of [
    [at("settings"), "Settings"],
    [`${service.url}/account`, "Your account"],
  ] as const) {
    await page.goto(address);
    await expect(page.getByRole("heading", { name: label, exact: true })).toBeVisible();
    await page.getByLabel("Name", { exact: true }).fill("Another name");
    await page.getByRole("link", { name: "Parley", exact: true }).click();
    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    await question.getByRole("button", { name: "Keep editing" }).click();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Another name");
    await page.getByRole("link", { name: "Parley", exact: true }).click();
    await question.getByRole("button", { name: "Leave" }).click();
    await expect(page.getByRole("heading", { name: "Overview", exact: true })).toBeVisible();
  }
});
