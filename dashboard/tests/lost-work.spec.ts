import type { Page } from "@playwright/test";
import { at, expect, picture, service, test, type Api } from "./parley";

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
  await page.keyboard.press("Control+s");
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

  // Another person signs in in another tab: this page sends nothing in that person's name.
  await nameField(page).fill("Day porter");
  const tab = await page.context().newPage();
  await tab.goto(`${service.url}/sign-in`);
  await tab.context().clearCookies();
  await tab.goto(`${service.url}/sign-in`);
  await tab.getByLabel("Email").fill(other.email);
  await tab.getByLabel("Password", { exact: true }).fill(other.password);
  await tab.getByRole("button", { name: "Sign in" }).click();
  await expect(tab.getByRole("heading", { name: "Overview", exact: true })).toBeVisible();
  await page.bringToFront();
  await page.keyboard.press("Control+s");
  await expect(dialog).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(dialog.getByText("Otto is signed in in this browser.")).toBeVisible();
  expect((await other.api.get(`workflows/${id}`)).name).toBe("Night porter");
});

test("unsaved changes of an agent are offered after leaving, and leaving asks first", async ({
  page,
  api,
}) => {
  const id = await agent(api);
  await page.goto(at(`agents/${id}`));
  await nameField(page).fill("Night porter");
  await page.getByRole("link", { name: "Runs" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(nameField(page)).toHaveValue("Night porter");
  await page.getByRole("link", { name: "Runs" }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
  await page.goto(at(`agents/${id}`));
  await expect(nameField(page)).toHaveValue("Porter");
  await expect(page.getByText(/Unsaved changes from/)).toBeVisible();
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(nameField(page)).toHaveValue("Night porter");
  await page.keyboard.press("Control+s");
  await expect.poll(async () => (await api.get(`workflows/${id}`)).name).toBe("Night porter");
  await page.reload();
  await expect(nameField(page)).toHaveValue("Night porter");
  await expect(page.getByText(/Unsaved changes from/)).toHaveCount(0);
});

test("two editors of one agent: the second one to save compares and chooses", async ({
  page,
  api,
  newMember,
}) => {
  const otto = await newMember("Otilie", "member");
  const id = await agent(api);
  await page.goto(at(`agents/${id}`));
  await nameField(page).fill("Night porter");
  await otto.member.goto(at(`agents/${id}`));
  await nameField(otto.member).fill("Day porter");
  await otto.member.keyboard.press("Control+s");
  await expect(otto.member.getByRole("button", { name: "Saved" })).toBeVisible();

  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog", { name: /^Changed by Otilie/ });
  await expect(dialog.getByText('−   "name": "Day porter",')).toBeVisible();
  await expect(dialog.getByText('+   "name": "Night porter",')).toBeVisible();
  await picture(page, "conflict", ["light", "dark", "phone"]);
  await dialog.getByRole("button", { name: "Keep mine" }).click();
  await expect.poll(async () => (await api.get(`workflows/${id}`)).name).toBe("Night porter");

  // The other person takes the newer version, and publishes nothing that they do not see.
  await nameField(otto.member).fill("Doorman");
  await otto.member.keyboard.press("Control+s");
  const theirs = otto.member.getByRole("dialog", { name: /^Changed by/ });
  await theirs.getByRole("button", { name: "Take theirs" }).click();
  await expect(nameField(otto.member)).toHaveValue("Night porter");
  await expect(otto.member.getByRole("button", { name: "Saved" })).toBeVisible();
});

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
  await page.keyboard.press("Control+s");
  await expect(page.getByRole("alert").getByText(/Correct it in the JSON view/)).toBeVisible();

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
  // The code is parsed in the sandbox, behind everything else.
  test.setTimeout(180_000);
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
  await expect(page.getByRole("combobox", { name: "Version" })).toHaveValue("Version 2", {
    timeout: 100_000,
  });
  const saved = await api.get(`code-artifacts/${String(id)}`);
  expect(saved.source).toContain("const half = 1;");
  expect(saved.inputs).toMatchObject([{ name: "input_1", type: "STRING" }]);
  await expect(page.getByText(/Unsaved changes from/)).toHaveCount(0);
});
