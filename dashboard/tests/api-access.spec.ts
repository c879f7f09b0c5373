import { at, expect, picture, service, test } from "./parley";

test(
  "an API key is created, shown once, works, is rolled, and is revoked",
  { tag: "@gate" },
  async ({ page, api }) => {
    await api.get("members");
    await page.goto(`${service.url}/`);
    await page.getByRole("link", { name: "API Keys" }).click();
    await expect(page).toHaveURL(at("api-access"));
    await page.getByRole("button", { name: "Create new API key" }).click();
    const dialog = page.getByRole("dialog");
    // The keys of a failed attempt stay.
    const { retry } = test.info();
    const name = retry ? `Billing integration ${retry}` : "Billing integration";
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByRole("combobox", { name: "Expiration" }).click();
    await page.getByRole("option", { name: "Custom date…" }).click();
    await dialog.getByLabel("Expires on").fill("2001-01-01T00:00");
    await dialog.getByRole("button", { name: "Generate Key" }).click();
    await expect(dialog.getByText(/future/)).toBeVisible();
    await dialog.getByRole("combobox", { name: "Expiration" }).click();
    await page.getByRole("option", { name: "90 days" }).click();
    await dialog.getByRole("combobox", { name: "Team" }).click();
    await page.getByRole("option", { name: "Accounting" }).click();
    await picture(page, "new-api-key", ["light"]);
    await dialog.getByRole("button", { name: "Generate Key" }).click();
    const key = await dialog.getByLabel("API key").inputValue();
    expect(key).toMatch(/^sk-[0-9A-Za-z]{43}$/);
    await expect(dialog.getByRole("button", { name: "Copy key" })).toBeFocused();
    await expect(dialog.getByLabel("curl command with the new key")).toContainText(key);
    await picture(page, "api-key-shown", ["light"]);

    // A reload does not show the key or the empty form again.
    await page.reload();
    await expect(dialog.getByText("it is shown only once")).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(at("api-access"));
    await expect(page.getByText(key)).toHaveCount(0);

    const use = async (bearer: string) => {
      const headers = { Authorization: `Bearer ${bearer}` };
      return (
        await page.request.post(`${service.url}/developer/api/conversations`, { headers, data: {} })
      ).status();
    };
    expect(await use(key)).toBe(201);
    const row = page.getByRole("row", { name: new RegExp(`^${name}`) });
    await expect(row).toContainText("Team Accounting");
    await expect(row).toContainText("by you");
    const act = async (action: string) => {
      await row
        .getByRole("button", { name: `Actions for ${name}` })
        .first()
        .click();
      await page.getByRole("menuitem", { name: action }).click();
    };

    // Rolled: both keys work.
    await act("Roll key…");
    await expect(dialog.getByRole("combobox", { name: "Expiration of the new key" })).toHaveValue("90 days");
    await picture(page, "roll-api-key", ["light"]);
    await dialog.getByRole("button", { name: "Roll key" }).click();
    const next = await dialog.getByLabel("API key").inputValue();
    expect(next).not.toBe(key);
    await expect(dialog.getByRole("button", { name: "Copy key" })).toBeFocused();
    await dialog.getByRole("button", { name: "Done" }).click();
    expect(await use(next)).toBe(201);
    expect(await use(key)).toBe(201);
    await expect(row).toHaveCount(2);
    await expect(row.last()).toContainText("Replaced");
    await picture(page, "api-access", ["light", "dark", "phone"]);

    await act("Rename…");
    await dialog.getByLabel("Name").fill(`Invoices of ${name}`);
    await dialog.getByRole("button", { name: "Rename" }).click();
    await expect(page.getByRole("row", { name: /^Invoices of/ })).toBeVisible();
    await expect(row).toHaveCount(1);
    await act("Revoke…");
    await page.getByRole("button", { name: "Revoke key" }).click();
    await expect(row).toHaveCount(0);
    await page.getByRole("switch", { name: "Show revoked and expired" }).click();
    await expect(row).toContainText("Revoked");
    await expect.poll(() => use(key)).toBe(401);
    expect(await use(next)).toBe(201);

    await page.getByLabel("Search API keys").fill(`INVOICES OF ${name}`);
    await expect(row).toHaveCount(0);
    await expect(page.getByRole("row", { name: /^Invoices of/ })).toBeVisible();
    await page.getByRole("button", { name: "Create new API key" }).click();
    await dialog.getByLabel("Name").fill(`invoices of ${name}`);
    await expect(dialog.getByText("Another active key has this name.")).toBeVisible();
  },
);
