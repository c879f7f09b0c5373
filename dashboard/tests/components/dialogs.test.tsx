import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { Schemas } from "../../src/api/client";
import {
  at,
  button,
  dialog,
  expectAddress,
  expectGone,
  heading,
  ME,
  open,
  press,
  problem,
  requests,
} from "./app";

const OPERATOR = { "GET /me": { ...ME, operator: true } };

/** Page, dialog name in the URL, button that opens it, title, and the initially focused element. */
const DIALOGS = [
  [at("agents"), "new-agent", "New agent", "New agent", "Name"],
  [at("api-access"), "new-key", "Create new API key", "Create new API key", "Name"],
  [at("conversations"), "new-conversation", "New conversation", "New conversation", "Chat with"],
  [at("code"), "new-code", "New code", "New code", "Name"],
  [at("data"), "add-data", "Add data set", "Add data set", "File"],
  [at("members"), "invite", "Invite member", "Invite member", "Email"],
  [at("tools"), "add-provider", "Add provider", "Add provider", "Type"],
  [at("webhooks"), "add-endpoint", "Add endpoint", "Add endpoint", "URL"],
  [at("settings"), "delete", "Delete…", "Delete “Acme”?", "Cancel"],
  ["/organizations", "new-organization", "New organization", "New organization", "Name"],
] as const;

test.each(DIALOGS)(
  "%s: the dialog %s has a URL, focuses its first field, and closes with Back",
  async (path, name, action, title, field) => {
    await open(path, OPERATOR);
    await button(action).first().click();
    await expect.element(dialog(title)).toBeVisible();
    await expectAddress(`${path}?dialog=${name}`);
    await expect.element(page.css("*:focus")).toHaveAccessibleName(new RegExp(`^${field}`));
    await expectGone(page.getByRole("listbox"));
    window.history.back();
    await expectGone(dialog(title));
    await expectAddress(path);
  },
);

test("a link opens a dialog, which Escape closes", async () => {
  await open(at("api-access?dialog=new-key"));
  await expect.element(dialog("Create new API key").getByLabelText("Name")).toHaveFocus();
  await press("Escape");
  await expectGone(dialog());
  await expectAddress(at("api-access"));
});

test("a link to an admin dialog opens nothing for a member", async () => {
  const me = { ...ME, organizations: [{ ...ME.organizations[0]!, role: "member" }] } as Schemas["Me"];
  await open(at("api-access?dialog=new-key"), { "GET /me": me });
  await expect.element(heading("API Keys")).toBeVisible();
  await expectGone(dialog());
});

test("a dialog asks before it discards what was typed", async () => {
  await open(at("members"));
  await button("Invite members").click();
  const form = dialog("Invite members");
  await form.getByLabelText("Email").fill("ada@acme.example");
  await press("Escape");
  const question = dialog("Discard your entries?");
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expectGone(question);
  await expect.element(form.getByLabelText("Email")).toHaveValue("ada@acme.example");
  await press("Escape");
  await question.getByRole("button", { name: "Discard" }).click();
  await expectGone(dialog());
  // Without entries there is nothing to ask.
  await button("Invite members").click();
  await expect.element(form.getByLabelText("Email")).toHaveValue("");
  await press("Escape");
  await expectGone(dialog());
});

test("Back asks before it discards what was typed in a dialog", async () => {
  await open(at("members"));
  await button("Invite members").click();
  await dialog().getByLabelText("Email").fill("ada@acme.example");
  window.history.back();
  await dialog("Leave without saving?").getByRole("button", { name: "Keep editing" }).click();
  await expect.element(dialog("Invite members").getByLabelText("Email")).toHaveValue("ada@acme.example");
  window.history.back();
  await dialog("Leave without saving?").getByRole("button", { name: "Leave" }).click();
  await expectGone(dialog());
  await expectAddress(at("members"));
});

const KEY = {
  id: "0192f0c1a2b37c4d8e5f60718293a4c1",
  name: "Shown once",
  key: "sk-secret",
  prefix: "sk-sec",
  created_at: "2026-01-01T10:00:00Z",
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  team_id: null,
  workflow_id: null,
};

test("a dialog forgets a secret that is shown once", async () => {
  await open(at("api-access"), { "POST api-keys": KEY });
  await button("Create new API key").first().click();
  await dialog().getByLabelText("Name").fill("Shown once");
  await dialog().getByRole("button", { name: "Generate Key" }).click();
  await expect.element(dialog().getByLabelText("API key")).toHaveValue("sk-secret");
  window.history.back();
  await expectGone(dialog());
  await button("Create new API key").first().click();
  await expect.element(dialog().getByLabelText("Name")).toHaveValue("");
});

const member = (id: string, name: string): Schemas["Member"] =>
  ({
    id,
    name,
    email: `${name}@parley.example`,
    email_proven: true,
    role: "owner",
    status: "active",
    created_at: "2026-01-01T10:00:00Z",
    invitation_expires_at: null,
    invitation_failed: false,
    invited_by: null,
    last_seen_at: null,
  }) as Schemas["Member"];

test("a dialog forgets the errors of other items", async () => {
  await open(at("members"), {
    "GET members": {
      items: [member(ME.id, "Ada"), member("0192f0c1a2b37c4d8e5f60718293a4d2", "Nora")],
      next: null,
    },
    [`DELETE members/${ME.id}`]: () => problem(409, "The last owner cannot be removed."),
  });
  const remove = async (name: string) => {
    await button(`Actions for ${name}`).click();
    await page.getByRole("menuitem", { name: "Remove from organization" }).click();
  };
  await remove("Ada");
  await dialog().getByRole("button", { name: "Remove" }).click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("The last owner cannot be removed.");
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await remove("Nora");
  await expect.element(dialog()).toHaveTextContent("Remove Nora?");
  await expectGone(dialog().getByRole("alert"));
});

test("errors of the server appear at the inputs that they name, until these change", async () => {
  let refused = true;
  await open(at("api-access?dialog=new-key"), {
    "POST api-keys": () =>
      refused
        ? problem(400, "Invalid", {
            errors: [{ path: "/expires_at", error: "Invalid Value", detail: "Must be in the future." }],
          })
        : KEY,
  });
  await dialog().getByLabelText("Name").fill("Never valid");
  await dialog().getByRole("combobox", { name: "Expiration" }).click();
  await page.getByRole("option", { name: "Custom date…" }).click();
  const expiration = dialog().getByLabelText("Expires on");
  await expiration.fill("2001-01-01T00:00");
  await dialog().getByRole("button", { name: "Generate Key" }).click();
  await expect.element(expiration).toHaveAccessibleDescription(/Must be in the future/);
  await expectGone(dialog().getByRole("alert"));
  refused = false;
  await expiration.fill("2999-01-01T00:00");
  await expect.element(expiration).not.toHaveAccessibleDescription(/Must be in the future/);
  await dialog().getByRole("button", { name: "Generate Key" }).click();
  await expect.element(dialog().getByLabelText("API key")).toHaveValue("sk-secret");
  expect(requests.filter((each) => each === "POST api-keys")).toHaveLength(2);
});
