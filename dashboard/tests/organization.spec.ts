import { readFile } from "node:fs/promises";
import { at, expect, picture, service, signIn, test } from "./parley";

test("one entry covers the saves of a draft by one person", async ({ page, api }) => {
  const draft = (description: string) => ({ name: "Saved often", description });
  const { id } = await api.post("workflows?allow_invalid=true", draft("1"));
  for (const description of ["2", "3", "4"]) {
    // oxlint-disable-next-line no-await-in-loop -- the revisions are in this order
    await api.answer("PUT", `workflows/${String(id)}?allow_invalid=true`, draft(description));
  }
  await page.goto(at("audit-log?target=saved+often"));
  const row = page.getByRole("row", { name: /Saved agent/ });
  await expect(row).toContainText("Draft revision: 1 → 4");
  await expect(row).toContainText(/until \d\d:\d\d/);
  await row.getByRole("button", { name: "Saved agent" }).click();
  await expect(page.getByRole("dialog")).toContainText("Last save");
});

test(
  "the audit log shows who did what to what, and can be filtered and exported",
  { tag: "@gate" },
  async ({ page, api }) => {
    const team = String((await api.post("teams", { name: "Audited" })).id);
    await api.answer("PATCH", `teams/${team}`, { name: "Audited, too" });
    await page.goto(at("audit-log"));
    const row = page.getByRole("row", { name: /Renamed team/ }).first();
    await expect(row).toContainText("Name: Audited → Audited, too");
    await expect(row).toContainText(service.email);
    await expect(row).toContainText("localhost");
    await expect(row.getByRole("link", { name: "Audited, too" })).toHaveAttribute(
      "href",
      new RegExp(`/teams/${team}$`),
    );
    await row.locator("time").hover();
    await expect(page.getByText(/UTC$/)).toBeVisible();
    await picture(page, "audit-log", ["light", "dark", "phone"]);
    const laptop = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByRole("combobox", { name: "Person" })).toBeHidden();
    await page.getByRole("button", { name: "Filters" }).click();
    await expect(page.getByRole("combobox", { name: "Person" })).toBeVisible();
    await page.setViewportSize(laptop);
    await row.getByRole("button", { name: "Renamed team" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("table", { name: "Changes" })).toContainText("Audited");
    await expect(dialog.getByText("teams.update")).toBeVisible();
    await picture(page, "audit-entry", ["light", "dark", "phone"]);
    await page.keyboard.press("Escape");

    // The name of a deleted target remains, without a link.
    await api.answer("DELETE", `teams/${team}`);
    await page.getByLabel("Target").fill("AUDITED, TOO");
    const deleted = page.getByRole("row", { name: /Deleted team/ });
    await expect(deleted).toContainText("Audited, too");
    await expect(deleted.getByRole("link")).toHaveCount(0);
    await page.getByRole("combobox", { name: "Action" }).fill("renamed team");
    await page.getByRole("option", { name: "Renamed team" }).click();
    await expect(page.getByRole("row", { name: /Deleted team/ })).toHaveCount(0);
    await expect(row).toBeVisible();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export CSV" }).click();
    const csv = (await readFile(await (await download).path(), "utf8")).trim().split("\r\n");
    expect(csv[0]).toMatch(/^time,person,action,/);
    expect(csv).toHaveLength(2);
    expect(csv[1]).toContain("name: Audited → Audited, too");

    await page.getByRole("combobox", { name: "Time" }).click();
    await page.getByRole("option", { name: "Custom" }).click();
    await page.getByLabel("Until").fill("2001-01-01T00:00");
    await expect(page.getByRole("heading", { name: "No entries match these filters" })).toBeVisible();
    await page.getByRole("button", { name: "Show all entries" }).click();
    await expect(page.getByLabel("Target")).toHaveValue("");
    await expect(row).toBeVisible();

    // Uses are shown on request, with what they are about.
    const { id } = await api.post("conversations", {});
    await api.post(`conversations/${String(id)}/messages`, {
      content_type: "text",
      content: "Audited offer",
    });
    await page.reload();
    await expect(row).toBeVisible();
    const sent = page.getByRole("row", { name: /Sent message in Audited offer/ });
    await expect(sent).toHaveCount(0);
    await page.getByRole("switch", { name: "Changes only" }).click();
    await expect(sent.getByRole("link", { name: "Audited offer" })).toHaveAttribute(
      "href",
      new RegExp(`/conversations/${String(id)}$`),
    );
  },
);

test("a user changes name and password", async ({ page, api, newMember }) => {
  const { member, email, password } = await newMember("Joan", "member");
  await member.goto(at("overview"));
  await member.getByRole("button", { name: "Your account" }).click();
  await member.getByRole("menuitem", { name: "Account settings" }).click();
  await member.getByLabel("Name", { exact: true }).fill("Joan Clarke");
  await member.getByRole("button", { name: "Save name" }).click();
  await expect(member.getByText("Name updated.")).toBeVisible();
  await expect(member.getByRole("button", { name: "Change password" })).toBeDisabled();
  await member.getByLabel("Current password").fill("not the password");
  await member.getByLabel("New password").fill("short");
  await member.getByRole("button", { name: "Change password" }).click();
  await expect(member.getByText(/8 to 128/)).toBeVisible();
  await member.getByLabel("New password").fill("another long password");
  await member.getByRole("button", { name: "Change password" }).click();
  await expect(member.getByText(/is wrong/i)).toBeVisible();
  await picture(member, "account", ["light", "dark", "phone"]);
  await member.getByLabel("Current password").fill(password);
  await member.getByRole("button", { name: "Change password" }).click();
  await expect(member.getByText("Password updated.")).toBeVisible();
  expect(await signIn(page, email, password)).toBe(401);
  expect(await signIn(page, email, "another long password")).toBe(200);
  expect(api).toBeTruthy();
});

test("a pending invitation is announced and updated, and wrong lines are marked and kept", async ({
  page,
  newOrganization,
}) => {
  const { at: own, api: branch } = await newOrganization("Branch");
  const sales = await branch.post("teams", { name: "Sales" });
  const known = { name: "Nora Field", role: "admin", team_ids: [sales.id] };
  await branch.post("members", { ...known, email: "nora@branch.example" });
  await page.goto(own("members"));
  await page.getByRole("button", { name: "Invite members" }).click();
  const dialog = page.getByRole("dialog");
  const email = dialog.getByRole("textbox", { name: "Email" });
  await email.fill("Nora@branch.example");
  await expect(dialog.getByText("is already invited as an admin.")).toBeVisible();
  // The dialog begins with the role and teams of the invitation.
  await expect(dialog.getByRole("combobox", { name: "Role" })).toHaveValue("Admin");
  await expect(dialog.getByText("Sales", { exact: true }).first()).toBeVisible();
  await dialog.getByRole("combobox", { name: "Role" }).click();
  await page.getByRole("option", { name: "Member" }).click();
  await picture(page, "invite-again", ["light", "dark", "phone"]);
  await dialog.getByRole("button", { name: "Update and create new link" }).click();
  await expect(page.getByRole("dialog", { name: "Invitation updated" })).toContainText("no longer works");
  await dialog.getByRole("button", { name: "Done" }).click();
  const pending = page.getByRole("region", { name: "Pending invitations" });
  await expect(pending.getByRole("row", { name: /Nora Field/ })).toContainText(/member.*Sales/i);

  await page.getByRole("button", { name: "Invite members" }).click();
  await email.fill("cara.three@branch,example");
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(dialog.getByText("Enter an email address, e.g. ada@acme.com.")).toBeVisible();
  await email.fill('"Two, Cara" <cara.two@branch.example>');
  await expect(dialog.getByLabel("Name")).toHaveAttribute("placeholder", "Two, Cara");
  // Escape closes only the list of teams, which stays open for more.
  await dialog.getByRole("combobox", { name: "Teams" }).click();
  await page.getByRole("option", { name: "Sales" }).click();
  await expect(page.getByRole("option", { name: "Sales" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("option", { name: "Sales" })).toHaveCount(0);
  await expect(page.getByText("Discard your entries?")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(pending.getByRole("row", { name: /Two, Cara/ })).toContainText("Sales");

  await page.getByRole("button", { name: "Invite members" }).click();
  await email.fill("pat at branch\nada@branch.example\nnora@branch.example\nbob@branch.example");
  await expect(dialog.getByText("isn’t an email address and won’t be invited.")).toBeVisible();
  await picture(page, "invite-several", ["light", "phone"]);
  // Focus alone changes nothing.
  await dialog.getByRole("combobox", { name: "Teams" }).focus();
  await dialog.getByRole("button", { name: "Invite 3 people" }).click();
  await expect(dialog.getByRole("alert").first()).toContainText("pat at branch: Not an email address.");
  await dialog.getByRole("button", { name: "Correct the others" }).click();
  await expect(email).toHaveValue("pat at branch");
  await email.fill("pat@branch.example");
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(pending.getByRole("row")).toHaveCount(6);
  await expect(pending.getByRole("row", { name: /Nora Field/ })).toContainText("Sales");

  await page.goto(own("audit-log"));
  const again = page.getByRole("row", { name: /Invited again/ }).filter({ hasText: "Role:" });
  await expect(again).toContainText("Role: Admin → Member");
  await expect(page.getByRole("row", { name: /Invited member/ }).last()).toContainText("Teams: Sales (1)");
  await again.getByRole("button", { name: "Invited again" }).click();
  await page.getByRole("link", { name: "All entries with this target" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Nora Field/ })).toHaveCount(3);
});

test("a member cannot see or do what requires an admin", { tag: "@gate" }, async ({ newMember }) => {
  const { member, api } = await newMember("Mia", "member");
  await member.goto(at("members"));
  await expect(member.getByRole("cell", { name: /Mia \(you\)/ })).toBeVisible();
  await expect(member.getByRole("button", { name: "Invite member" })).toHaveCount(0);
  await expect(member.getByRole("combobox")).toHaveCount(0);
  await expect(member.getByRole("link", { name: "Audit log" })).toHaveCount(0);
  await expect(member.getByRole("link", { name: "Emails" })).toHaveCount(0);
  await member.goto(at("audit-log"));
  await expect(
    member.getByRole("heading", { name: "Only owners and admins can view the audit log" }),
  ).toBeVisible();
  await member.goto(at("settings"));
  await expect(
    member.getByRole("heading", { name: "Only owners and admins can change settings" }),
  ).toBeVisible();
  await member.goto(at("api-access"));
  await expect(member.getByRole("heading", { name: "API Keys", exact: true })).toBeVisible();
  await expect(member.getByRole("button", { name: "Create new API key" })).toHaveCount(0);
  await member.goto(at("teams"));
  await expect(member.getByRole("button", { name: "New team" })).toHaveCount(0);
  await member.goto(at("tools"));
  await expect(member.getByRole("link", { name: "HTTP request", exact: true }).first()).toBeVisible();
  await expect(member.getByRole("button", { name: "Add provider" })).toHaveCount(0);
  const { items: tools } = (await api.get("tools")) as { items: { tool_id: number }[] };
  await member.goto(at(`tools/${tools[0]!.tool_id}`));
  await expect(member.getByText("Only owners and admins can try tools")).toBeVisible();
  await expect(member.getByRole("button", { name: "Call tool" })).toHaveCount(0);
  await member.goto(at("data"));
  await expect(member.getByRole("heading", { name: "Data", exact: true })).toBeVisible();
  await expect(member.getByRole("button", { name: "Add data set" })).toHaveCount(0);
  const refused: [string, string, Record<string, unknown>?][] = [
    ["GET", "audit-log"],
    ["GET", "emails"],
    ["POST", "api-keys", { name: "Mine" }],
    ["POST", "teams", { name: "Mine" }],
    ["POST", "members", { email: "x@parley.example", name: "X", role: "owner" }],
    ["POST", "tool-providers", { name: "x", kind: "mcp", url: "https://example.com" }],
    ["POST", "webhook-secret/rotate"],
    ["GET", "webhook-secret"],
    ["POST", "webhook-endpoints", { url: "https://example.com" }],
    ["POST", "data-lakes", { name: "Mine", format: "csv" }],
    ["PATCH", "data-lakes/0192f0c1a2b37c4d8e5f60718293a4b5", { name: "Mine" }],
    ["POST", "code-artifacts", { name: "Mine", language: "javascript", source: "" }],
    ["PATCH", "", { name: "Mine" }],
    ["DELETE", ""],
  ];
  for (const [method, path, body] of refused) {
    // oxlint-disable-next-line no-await-in-loop
    const answer = await api.answer(method, path, body);
    expect(answer.status(), `${method} ${path}`).toBe(403);
  }
});

test("a member runs code", async ({ newMember }) => {
  const { member, api } = await newMember("Mirko", "member");
  const { items: artifacts } = (await api.get("code-artifacts")) as {
    items: { id: number; name: string }[];
  };
  await member.goto(at(`code/${artifacts.find(({ name }) => name === "Currency conversion")!.id}`));
  await member.getByRole("textbox", { name: "amount" }).first().fill("100");
  await member.getByRole("button", { name: "Run", exact: true }).click();
  await expect(member.getByText(/^Took /)).toBeVisible();
});

test("role changes apply immediately, members can be removed, teams can be deleted", async ({
  page,
  api,
  newMember,
}) => {
  const { member, id } = await newMember("Rosa", "member");
  await page.goto(at("members"));
  await page.getByRole("combobox", { name: "Role of Rosa" }).click();
  await page.getByRole("option", { name: "Admin" }).click();
  await expect(page.getByText("Rosa is now an admin.")).toBeVisible();
  await member.goto(at("audit-log"));
  await expect(member.getByText("Changed role").first()).toBeVisible();

  await member.goto(at("teams"));
  await member.getByRole("button", { name: "New team" }).first().click();
  await member.getByRole("dialog").getByLabel("Name").fill("Harbour shift");
  await member.getByRole("button", { name: "Create team" }).click();
  await expect(member.getByRole("heading", { name: "Harbour shift", exact: true })).toBeVisible();
  await expect(member.getByText("No agent assigns tickets to it.")).toBeVisible();
  const teamId = new URL(member.url()).pathname.split("/").pop();
  await member.getByRole("button", { name: "Rename" }).click();
  await member.getByRole("dialog").getByLabel("Name").fill("Harbour shift 2");
  // Another admin renames it meanwhile.
  await api.answer("PATCH", `teams/${teamId}`, { name: "Late shift" });
  await member.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await expect(member.getByRole("dialog", { name: /Changed by Demo/ })).toContainText("Late shift");
  await member.getByRole("button", { name: "Keep mine" }).click();
  await expect(member.getByRole("heading", { name: "Harbour shift 2", exact: true })).toBeVisible();
  await member.getByRole("button", { name: "Delete" }).click();
  await member.getByRole("dialog").getByRole("button", { name: "Delete team" }).click();
  await expect(member).toHaveURL(at("teams"));
  await expect(member.getByRole("link", { name: /Harbour shift/ })).toHaveCount(0);

  await page.getByRole("button", { name: "Actions for Rosa" }).click();
  await page.getByRole("menuitem", { name: "Remove from organization" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("row", { name: /Rosa/ })).toHaveCount(0);
  await member.goto(at("tickets"));
  await expect(member.getByRole("heading", { name: "Page not found" })).toBeVisible();
  expect(id).toMatch(/^[0-9a-f]{32}$/);
});
