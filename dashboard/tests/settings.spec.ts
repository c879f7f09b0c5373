import { accept, at, expect, picture, service, test } from "./parley";

test(
  "an organization is renamed, limited by an operator who is not a member, and deleted",
  { tag: "@gate" },
  async ({ page, api, browser }) => {
    const email = "otto@parley.example";
    const headers = { "X-Requested-With": "parley" };
    const organizations = `${service.url}/dashboard/api/organizations`;
    const created = await page.request.post(organizations, { data: { name: "Outpost" }, headers });
    const { id } = (await created.json()) as { id: string };
    const joined = await page.request.post(`${organizations}/${id}/members`, {
      data: { email, name: "Otto", role: "owner" },
      headers,
    });
    expect(joined.status()).toBe(201);
    const context = await browser.newContext();
    const { invitation_token } = (await joined.json()) as Record<string, unknown>;
    expect((await accept(context, invitation_token, { password: "the password of Otto" })).status()).toBe(
      200,
    );
    const member = await context.newPage();
    const address = `${service.url}/organizations/${id}`;

    // The owner can rename it, but not set the limit.
    await member.goto(`${address}/settings`);
    await member.getByLabel("Name", { exact: true }).fill("Far outpost");
    await member.getByRole("button", { name: "Save", exact: true }).click();
    await expect(member.getByRole("button", { name: "Organization: Far outpost" })).toBeVisible();
    await expect(member.getByLabel("Messages per minute")).toHaveCount(0);
    await expect(member.getByText("100 per minute. Set by operators.")).toBeVisible();
    await expect(member.getByText(/^At most [\d,]+\.$/)).toBeVisible();
    await picture(member, "settings", ["light", "dark", "phone"]);

    await expect(member.getByRole("row", { name: /AI model/ })).toContainText(/onnected/);

    // Another admin has renamed it meanwhile.
    await member.getByLabel("Name", { exact: true }).fill("Mine");
    await member.request.patch(`${organizations}/${id}`, { data: { name: "Theirs" }, headers });
    await member.getByRole("button", { name: "Save", exact: true }).click();
    const conflict = member.getByRole("dialog", { name: /Changed by you in another window/ });
    await expect(conflict).toContainText("Theirs");
    await conflict.getByRole("button", { name: "Take theirs" }).click();
    await expect(member.getByLabel("Name", { exact: true })).toHaveValue("Theirs");
    await member.getByLabel("Name", { exact: true }).fill("Far outpost");
    await member.getByRole("button", { name: "Save", exact: true }).click();
    await expect(member.getByRole("button", { name: "Organization: Far outpost" })).toBeVisible();

    // An operator who is not a member sees only the settings.
    const { items } = (await (await page.request.get(`${organizations}/${id}/members`)).json()) as {
      items: { id: string; email: string }[];
    };
    const operator = items.find((each) => each.email === service.email)!.id;
    const removed = await member.request.delete(`${organizations}/${id}/members/${operator}`, { headers });
    expect(removed.status()).toBe(204);
    await page.goto(`${address}/runs`);
    await expect(page.getByText("You’re not a member")).toBeVisible();
    expect(page.url()).toBe(`${address}/settings`);
    await expect(page.getByRole("navigation", { name: "Menu" }).getByRole("link")).toHaveCount(1);
    await page.getByLabel("Messages per minute").fill("5000");
    await page.getByRole("button", { name: "Save limit" }).click();
    await expect(page.getByText("Limit updated.")).toBeVisible();
    await picture(page, "settings-operator");
    const limited = (await (await page.request.get(`${organizations}/${id}`)).json()) as Record<
      string,
      unknown
    >;
    expect(limited.messages_per_minute).toBe(5000);
    await expect(page.getByLabel("Messages per minute")).toHaveValue("5,000");
    await expect(page.getByText("Default: 100. Leave empty to use the default.")).toBeVisible();

    await member.reload();
    // The texts of the connections load later and move the button down.
    await expect(member.getByText("PARLEY_OIDC_ISSUER")).toBeVisible();
    await member.getByRole("button", { name: "Delete…" }).click();
    const dialog = member.getByRole("dialog");
    await expect(dialog.getByRole("button", { name: "Delete organization" })).toBeDisabled();
    await dialog.getByLabel("Organization name").fill("Far outpost");
    await dialog.getByRole("button", { name: "Delete organization" }).click();
    await expect(member.getByText("“Far outpost” deleted.")).toBeVisible();
    expect((await member.request.get(`${organizations}/${id}`)).status()).toBe(404);
    await context.close();
    expect(api).toBeTruthy();
  },
);

test("an operator reads which settings connect a model", async ({ page, api }) => {
  await api.get("members");
  await page.goto(at("settings"));
  await page.getByText("How to connect").first().click();
  await expect(page.getByLabel("settings: AI model", { exact: true })).toContainText(
    "PARLEY_LLM_BASE_URL=https://",
  );
});
