import { expect, test } from "vitest";
import type { Schemas } from "../../api";
import { addressError, checkInvitees, inviteesOf, isInvitable } from "./invitees";

test("one address takes the name of the form", () => {
  expect(inviteesOf(" ada@acme.example ", " Ada ")).toEqual([{ email: "ada@acme.example", name: "Ada" }]);
});

test("without a name, the address gives one", () => {
  expect(inviteesOf("ada.lovelace@acme.example", " ")).toEqual([
    { email: "ada.lovelace@acme.example", name: "Ada Lovelace" },
  ]);
});

test("several addresses get names of their own, and duplicates count once", () => {
  expect(inviteesOf("ada.lovelace@acme.example, bob@acme.example\nBOB@acme.example", "Ignored")).toEqual([
    { email: "ada.lovelace@acme.example", name: "Ada Lovelace" },
    { email: "BOB@acme.example", name: "BOB" },
  ]);
});

test("an address as mail programs write it brings its name", () => {
  const cara = (name: string) => [{ email: "cara.two@acme.example", name }];
  expect(inviteesOf("Cara Two <cara.two@acme.example>", "")).toEqual(cara("Cara Two"));
  expect(inviteesOf('"Two, Cara" <cara.two@acme.example>', "")).toEqual(cara("Two, Cara"));
  expect(inviteesOf("Two, Cara <cara.two@acme.example>", "")).toEqual(cara("Two, Cara"));
  expect(inviteesOf("<cara.two@acme.example>", "")).toEqual(cara("Cara Two"));
  expect(inviteesOf("Cara Two <cara.two@acme.example>", "Cara")).toEqual(cara("Cara"));
  const several = 'Ada <ada@acme.example>, "Two, Cara" <cara.two@acme.example>; bob@acme.example';
  expect(inviteesOf(several, "")).toEqual([
    { email: "ada@acme.example", name: "Ada" },
    ...cara("Two, Cara"),
    { email: "bob@acme.example", name: "Bob" },
  ]);
});

test("a line with a part that is no address is wrong as a whole", () => {
  const emails = (text: string) => inviteesOf(text, "").map(({ email }) => email);
  const states = (text: string) => checkInvitees(inviteesOf(text, ""), [], true).map(({ state }) => state);
  expect(emails("cara.three@example,com\nbob@acme.example")).toEqual([
    "cara.three@example,com",
    "bob@acme.example",
  ]);
  expect(states("cara.three@example,com\nbob@acme.example")).toEqual(["invalid", "new"]);
  expect(addressError("cara.three@example,com")).toMatch(/Enter an email address/);
  expect(addressError("cara.three@example.com")).toBeNull();
  expect(states("cara@localhost")).toEqual(["invalid"]);
  expect(states("Cara <cara@example,com>")).toEqual(["invalid"]);
  expect(emails("a@acme.example b@acme.example,c@acme.example;")).toEqual([
    "a@acme.example",
    "b@acme.example",
    "c@acme.example",
  ]);
});

test("an empty text has no addresses", () => {
  expect(inviteesOf(" \n", "Ada")).toEqual([]);
});

const member = (email: string, rest: Partial<Schemas["Member"]>) =>
  ({ email, name: "Known", status: "active", email_proven: true, ...rest }) as Schemas["Member"];

test("an address is compared with members and open invitations", () => {
  const members = [
    member("ada@acme.example", { status: "invited" }),
    member("bob@acme.example", {}),
    member("eve@acme.example", { email_proven: false }),
  ];
  const text = "new@acme.example\nADA@acme.example\nbob@acme.example\neve@acme.example\nbob at acme";
  const states = (isMailed: boolean) =>
    checkInvitees(inviteesOf(text, ""), members, isMailed).map(({ state }) => state);
  expect(states(true)).toEqual(["new", "invited", "member", "unverified", "invalid"]);
  expect(states(false)).toEqual(["new", "invited", "member", "member", "invalid"]);
  const checked = checkInvitees(inviteesOf(text, ""), members, false);
  expect(checked.filter(isInvitable).map(({ email, name }) => [email, name])).toEqual([
    ["new@acme.example", "New"],
    ["ADA@acme.example", "Known"],
  ]);
});
