import { expect, test } from "vitest";
import { addressError, inviteesOf } from "./invitees";

test("one address takes the name of the form", () => {
  expect(inviteesOf(" ada@acme.example ", " Ada ")).toEqual([{ email: "ada@acme.example", name: "Ada" }]);
});

test("without a name, the address gives one", () => {
  expect(inviteesOf("ada.lovelace@acme.example", " ")).toEqual([
    { email: "ada.lovelace@acme.example", name: "Ada Lovelace" },
  ]);
});

test("several addresses get names of their own, and duplicates count once", () => {
  expect(inviteesOf("ada.lovelace@acme.example, bob@acme.example\nbob@acme.example", "Ignored")).toEqual([
    { email: "ada.lovelace@acme.example", name: "Ada Lovelace" },
    { email: "bob@acme.example", name: "Bob" },
  ]);
});

test("an empty text has no addresses", () => {
  expect(inviteesOf(" \n", "Ada")).toEqual([]);
});

test("a wrong address among several is named before anybody is invited", () => {
  expect(addressError("ada@acme.example nonsense")).toBe(
    "Not an email address: nonsense. No invitation was sent.",
  );
  expect(addressError("ada@acme.example bob@acme.example")).toBeUndefined();
  expect(addressError("nonsense")).toBeUndefined();
});
