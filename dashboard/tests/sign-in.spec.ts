import { accept, at, expect, expectAccessible, picture, service, signIn, test } from "./parley";

test("users sign in and return to the requested page", { tag: "@gate" }, async ({ page }) => {
  await page.goto(at("members"));
  await expect(page.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
  await picture(page, "sign-in", ["light", "dark"]);
  await page.getByLabel("Email").fill(service.email);
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(service.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Members", exact: true })).toBeVisible();
  expect(page.url()).toBe(at("members"));
  const seen = await page.evaluate(() => document.cookie + JSON.stringify(localStorage));
  expect(seen).not.toContain("session");
});

test("signing out ends the session", async ({ page }) => {
  expect(await signIn(page, service.email, service.password)).toBe(200);
  await page.goto(at("members"));
  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
  await page.goto(at("members"));
  await expect(page.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
});

test("the next user of a browser sees no data of the previous one", async ({ page, api, newMember }) => {
  const { email, password } = await newMember("Vera", "member");
  await api.post("api-keys", { name: "Not for members" });
  await page.goto(at("api-access"));
  await expect(page.getByText("Not for members")).toBeVisible();
  // The session ends; the next request notices it.
  await page.context().clearCookies();
  await page.getByRole("link", { name: "Members" }).click();
  await page.getByRole("link", { name: "Sign in as someone else" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Overview", exact: true })).toBeVisible();
  await page.goto(at("api-access"));
  await expect(page.getByText("Only owners and admins can do this.")).toBeVisible();
  await expect(page.getByText("Not for members")).toHaveCount(0);
});

test(
  "a member who forgot the password gets in by an admin's link, and sees and ends sessions",
  { tag: "@gate" },
  async ({ page, newMember }) => {
    const { member, email, password } = await newMember("Greta", "member");
    const other = await page.context().browser()!.newContext();
    const theirs = await other.newPage();
    await theirs.goto(service.url);
    await theirs.getByLabel("Email").fill(email);
    await theirs.getByRole("link", { name: "Forgot password?" }).click();
    await expect(theirs.getByText("Ask an admin of your organization")).toBeVisible();
    await picture(theirs, "forgot-password");

    await page.goto(at("members?search=greta"));
    await page.getByRole("button", { name: "Actions for Greta" }).click();
    await page.getByRole("menuitem", { name: "Create reset link" }).click();
    await page.getByRole("button", { name: "Create link" }).click();
    await expect(page.getByRole("button", { name: "Copy link" })).toBeFocused();
    const link = await page.getByLabel("Reset link").inputValue();
    await picture(page, "reset-link", ["light", "phone"]);
    await page.getByRole("button", { name: "Done" }).click();

    await theirs.goto(link);
    await expect(theirs.getByText(`For ${email}`)).toBeVisible();
    await picture(theirs, "reset-password", ["light", "dark", "phone"]);
    await theirs.getByLabel("New password").fill("short");
    await theirs.getByRole("button", { name: "Set password" }).click();
    await expect(theirs.getByText(/8 to 128/)).toBeVisible();
    await theirs.getByLabel("New password").fill("a new long password");
    await theirs.getByRole("button", { name: "Set password" }).click();
    await expect(theirs.getByRole("heading", { name: "Overview", exact: true })).toBeVisible();
    await member.goto(at("overview"));
    await expect(member.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
    expect(await signIn(member, email, password)).toBe(401);
    expect(await signIn(member, email, "a new long password")).toBe(200);

    await theirs.getByRole("button", { name: "Your account" }).click();
    await theirs.getByRole("menuitem", { name: "Account settings" }).click();
    await expect(theirs.getByRole("heading", { name: "Your account" })).toBeFocused();
    await expect(theirs.getByRole("navigation", { name: "Menu" })).toBeVisible();
    await expect(theirs.getByText(/\(this browser\)/)).toBeVisible();
    await theirs.setViewportSize({ width: 390, height: 844 });
    const label = theirs
      .getByRole("button", { name: /^Sign out Chrome/ })
      .first()
      .getByText("Sign out");
    expect(await label.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
    await theirs.getByRole("radiogroup", { name: "Theme" }).getByText("Dark").click();
    await expect(theirs.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
    await theirs.getByRole("button", { name: "Sign out everywhere else" }).click();
    await expect(theirs.getByRole("button", { name: /^Sign out Chrome/ })).toHaveCount(0);
    await member.goto(at("overview"));
    await expect(member.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
    await theirs.goto("about:blank");
    await theirs.goto(link);
    await expect(theirs.getByRole("alert")).toContainText("already been used");
    await expect(theirs.getByLabel("New password")).toHaveCount(0);
    await other.close();
  },
);

test(
  "an invited person sets a password and gets the access of a member",
  { tag: "@gate" },
  async ({ page, api, browser }) => {
    await api.get("members");
    await page.goto(at("members"));
    await page.getByRole("button", { name: "Invite member" }).click();
    await expect(page.getByText("Can use agents, runs and conversations")).toBeVisible();
    await page.getByRole("textbox", { name: "Email" }).fill("no-address");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await page.getByRole("textbox", { name: "Email" }).fill("ada@parley.example");
    await page.getByRole("combobox", { name: "Teams" }).click();
    await page.getByRole("option", { name: "Accounting", exact: true }).click();
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    const link = await page.getByLabel("Invitation link").inputValue();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Done" }).click();
    const pending = page.getByRole("region", { name: "Pending invitations" });
    await expect(pending.getByRole("row", { name: /Ada/ })).toContainText("Demo");
    await expect(
      pending.getByRole("row", { name: /Ada/ }).getByRole("link", { name: "Accounting" }),
    ).toBeVisible();
    await picture(page, "members", ["light"]);
    await pending.getByRole("button", { name: "New link for Ada" }).click();
    const renewed = await page.getByLabel("Invitation link").inputValue();
    expect(renewed).not.toBe(link);
    await page.getByRole("button", { name: "Done" }).click();

    // A revoked invitation cannot be accepted.
    const { invitation_token } = await api.post("members", {
      email: "nobody@parley.example",
      name: "Nobody",
      role: "member",
    });
    await page.reload();
    await pending.getByRole("button", { name: "Revoke the invitation of Nobody" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await expect(pending.getByRole("row", { name: /Nobody/ })).toHaveCount(0);

    const theirs = await (await browser.newContext()).newPage();
    for (const dead of [link, `${service.url}/invitations/${String(invitation_token)}`]) {
      // oxlint-disable-next-line no-await-in-loop
      await theirs.goto(dead);
      // oxlint-disable-next-line no-await-in-loop
      await expect(theirs.getByRole("alert")).toContainText("already been used or has expired");
    }
    await theirs.goto(renewed);
    await expect(theirs.getByText("Demo invited you to join Demo as a member")).toBeVisible();
    await theirs.getByLabel("Password", { exact: true }).fill("short");
    await theirs.getByRole("button", { name: "Join" }).click();
    await expect(theirs.getByText(/at least 8|8 to 128/i).last()).toBeVisible();
    await theirs.getByLabel("Password", { exact: true }).fill("a long enough password");
    await theirs.getByRole("button", { name: "Join" }).click();
    await expect(theirs.getByRole("heading", { name: "Overview", exact: true })).toBeVisible();
    await expect(theirs.getByRole("link", { name: "Audit log" })).toHaveCount(0);
    await expect(theirs.getByRole("link", { name: "API Keys" })).toHaveCount(0);
    await theirs.goto(at("api-access"));
    await expect(theirs.getByText("Only owners and admins can do this.")).toBeVisible();
    await expect(theirs.getByRole("button", { name: "Create new API key" })).toHaveCount(0);
    await theirs.goto(renewed);
    await expect(theirs.getByRole("alert")).toContainText("already been used");
    await expect(theirs.getByLabel("Password", { exact: true })).toHaveCount(0);
    await theirs.goto(`${service.url}/account`);
    await expect(theirs.getByText("Your email address isn’t verified")).toBeVisible();
    await theirs.context().close();

    await page.reload();
    await page.getByRole("row", { name: /Ada/ }).getByText("Email not verified").hover();
    await expect(page.getByText(/^Joined with a link from an admin/)).toBeVisible();
    await picture(page, "members", ["light", "phone"]);
  },
);

test("a user with an account joins another organization while signed in", async ({
  page,
  newOrganization,
  newMember,
}) => {
  const branch = await newOrganization("Vienna branch");
  // The demo user has a verified account. It leaves the organization and is invited again.
  const headers = { "X-Requested-With": "parley" };
  const owner = await branch.api.post("members", {
    email: "head@parley.example",
    name: "Head",
    role: "owner",
  });
  const head = await page.context().browser()!.newContext();
  const joined = await accept(head, owner.invitation_token, { password: "the password of the head" });
  const { organizations } = (await joined.json()) as { organizations: { id: string }[] };
  const members = `${service.url}/dashboard/api/organizations/${organizations[0]!.id}/members`;
  const removed = await head.request.delete(`${members}/${service.user}`, { headers });
  expect(removed.status()).toBe(204);
  const invited = await head.request.post(members, {
    data: { email: service.email, name: "Demo", role: "admin" },
    headers,
  });
  const { invitation_token } = (await invited.json()) as { invitation_token: string };
  const link = `${service.url}/invitations/${invitation_token}`;

  // Another user is signed in.
  const { member } = await newMember("Hedy", "member");
  await member.goto(link);
  await expect(member.getByText("You’re signed in with another account")).toBeVisible();
  await picture(member, "invitation-other-account");
  await member.getByRole("button", { name: "Sign out and continue" }).click();
  await expect(member.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();

  // No user is signed in.
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByText("You already have an account with this email address")).toBeVisible();
  await picture(page, "invitation-signed-out");
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Email").fill(service.email);
  await page.getByLabel("Password", { exact: true }).fill(service.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("button", { name: "Join", exact: true })).toBeVisible();
  await picture(page, "invitation-join", ["light", "dark", "phone"]);
  await page.getByRole("button", { name: "Join", exact: true }).click();
  await expect(page.getByRole("button", { name: "Organization: Vienna branch" })).toBeVisible();
  await expect(page).toHaveURL(branch.at("overview"));

  await page.goto(branch.at("audit-log"));
  await expect(page.getByText("Accepted invitation").first()).toBeVisible();
  await page.context().addCookies(cookies);
  await head.close();
});

test("a user with an unverified address gets a separate account for another organization", async ({
  newOrganization,
  newMember,
}) => {
  const branch = await newOrganization("Graz branch");
  const { member, email, password } = await newMember("Lise", "member");
  const invited = await branch.api.post("members", { email, name: "Lise", role: "member" });
  await member.goto(`${service.url}/invitations/${String(invited.invitation_token)}`);
  await expect(member.getByText("You’ll get a new account")).toBeVisible();
  await picture(member, "invitation-unproven");
  await member.getByLabel("Password", { exact: true }).fill(password);
  await member.getByRole("button", { name: "Join", exact: true }).click();
  await expect(member.getByRole("button", { name: "Organization: Graz branch" })).toBeVisible();

  // Both accounts have the same password. The requested page decides which one signs in.
  await member.goto(at("tickets"));
  await expect(member.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await member.context().clearCookies();
  await member.goto(at("tickets"));
  await member.getByLabel("Email").fill(email);
  await member.getByLabel("Password", { exact: true }).fill(password);
  await member.getByRole("button", { name: "Sign in" }).click();
  await expect(member.getByRole("heading", { name: "Tickets", exact: true })).toBeVisible();
});

test("teams are created and get members", { tag: "@gate" }, async ({ page, api }) => {
  await api.get("members");
  await page.goto(at("teams"));
  await page.getByRole("button", { name: "New team" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill("Support");
  await page.getByRole("button", { name: "Create team" }).click();
  await page.getByRole("combobox", { name: "Add a member to Support" }).click();
  await page.getByRole("option", { name: /demo@parley.example/ }).click();
  await expect(page.getByRole("button", { name: "Remove Demo from Support" })).toBeVisible();
  await page.getByRole("button", { name: "Remove Demo from Support" }).click();
  await page
    .getByRole("alert")
    .filter({ hasText: "Demo removed from Support." })
    .getByRole("button", { name: "Undo" })
    .click();
  await expect(page.getByRole("button", { name: "Remove Demo from Support" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Remove Demo from Support" })).toBeVisible();
  await picture(page, "team", ["light", "dark", "phone"]);
  await page.getByRole("link", { name: "0 open tickets" }).click();
  await expect(page.getByRole("combobox", { name: "Team" })).toHaveValue("Support");
  await expect(page.getByText("No open tickets match these filters")).toBeVisible();
  await page.goBack();
  await page.getByRole("link", { name: "Conversations", exact: true }).last().click();
  await expect(page).toHaveURL(/conversations\?team=\d+$/);
  await page.goto(at("teams"));
  await expect(page.getByRole("row", { name: /Support/ })).toHaveText(/Support\s*Demo\s*0 open/);
  await expect(page.getByRole("link", { name: /tickets of Support/ })).toHaveCount(0);
  await picture(page, "teams", ["light", "phone"]);
});

test("an unknown page shows an error page, and the API returns its own errors", async ({ page, api }) => {
  await api.get("members");
  await page.goto(at("nowhere"));
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  for (const path of ["/developer/api/nowhere", "/dashboard/api/nowhere", "/docs/nowhere.html"]) {
    // oxlint-disable-next-line no-await-in-loop
    const answer = await page.request.get(service.url + path, { headers: { Accept: "text/html,*/*" } });
    expect([401, 404]).toContain(answer.status());
    expect(answer.headers()["content-type"]).toContain("application/json");
  }
  for (const path of ["/docs/", "/openapi.json", "/health", "/metrics"]) {
    // oxlint-disable-next-line no-await-in-loop
    expect((await page.request.get(service.url + path)).status()).toBe(200);
  }
});

test("an operator creates an organization and switches between organizations", async ({ page, api }) => {
  await api.get("members");
  await page.goto(`${service.url}/organizations`);
  await expect(page.getByRole("link", { name: "← Demo" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Menu" })).toHaveCount(0);
  await expect(page.getByRole("columnheader", { name: "Members" })).toBeVisible();
  await expect(page.getByRole("row", { name: /Demo/ }).locator("td.number")).toHaveText(/^[1-9]\d*$/);
  await picture(page, "organizations", ["light", "phone"]);
  await page.getByRole("button", { name: "New organization" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Branch office");
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("button", { name: "Organization: Branch office" })).toBeVisible();
  await expect(page.getByText("Build an agent from a template")).toBeVisible();
  await picture(page, "overview-empty");
  await page.keyboard.press("Control+k");
  await expectAccessible(page);
  // The actions of a member arrive after those of an operator.
  await expect(page.getByRole("option", { name: "New agent" })).toBeAttached();
  await expect(page.getByRole("option", { name: "Add tool provider" })).toBeAttached();
  // Arrow up on the first option selects the last one and scrolls to it.
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("option", { selected: true })).toBeInViewport({ ratio: 0.9 });
  await expect(page.getByRole("option").last()).toHaveAttribute("aria-selected", "true");
  await page.getByRole("dialog").getByRole("combobox").fill("demo");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Organization: Demo" })).toBeVisible();
});
