import type { Page } from "@playwright/test";
import { at, expect, expectAccessible, picture, service, test, type Api } from "./parley";

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
  await expectAccessible(page);
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
