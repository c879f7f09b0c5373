import { at, expect, test } from "./parley";

const DIALOGS = [
  ["agents", "new-agent", "New agent", "Name"],
  ["api-access", "new-key", "Create new API key", "Name"],
  ["conversations", "new-conversation", "New conversation", "With"],
  ["code", "new-code", "New code", "Name"],
  ["data", "add-data", "Add data", "File"],
  ["members", "invite", "Invite a person", "Name"],
  ["tools", "add-provider", "Add a provider", "Kind"],
  ["webhooks", "add-endpoint", "Add an endpoint", "Address"],
] as const;

test("a dialog has an address, begins at its first field, and is closed by going back", async ({
  page,
  api,
}) => {
  await api.get("members");
  for (const [path, name, title, field] of DIALOGS) {
    // oxlint-disable no-await-in-loop -- one browser window
    await page.goto(at(path));
    await page.getByRole("button", { name: title }).first().click();
    const dialog = page.getByRole("dialog", { name: title });
    await expect(dialog).toBeVisible();
    await expect(page).toHaveURL(at(`${path}?dialog=${name}`));
    await expect(page.locator("*:focus")).toHaveAccessibleName(new RegExp(`^${field}`));
    await expect(page.getByRole("listbox")).toHaveCount(0);
    await page.goBack();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(at(path));
    // oxlint-enable no-await-in-loop
  }
  await page.goto(at("agents?dialog=new-agent"));
  await page.getByLabel("Name").fill("Made by a link");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Made by a link" })).toBeVisible();
  await page.goto(at("api-access?dialog=new-key"));
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(at("api-access"));
});

test("a member's link to a dialog for admins opens none", async ({ newMember }) => {
  const { member } = await newMember("Linus", "member");
  await member.goto(at("api-access?dialog=new-key"));
  await expect(member.getByRole("heading", { name: "API Keys" })).toBeVisible();
  await expect(member.getByRole("dialog")).toHaveCount(0);
});
