import type { Schemas } from "../../api";
import { capitalized } from "../../components/capitalized";

export interface Invitee {
  email: string;
  name: string;
}

/** An address that was typed, and what inviting it does. */
export interface CheckedInvitee extends Invitee {
  state: "new" | "invited" | "unverified" | "member" | "invalid";
  /** The person with the address, unless it is new here. */
  member?: Schemas["Member"];
}

const isAddress = (text: string) => /^[^@\s,;<>"]+@[^@\s,;<>".]+(\.[^@\s,;<>".]+)+$/.test(text);

interface Entry {
  email: string;
  /** The name that stood before the address; empty without one. */
  name: string;
}

/** An entry as mail programs write it, such as `"Two, Cara" <cara@acme.example>`. */
const NAMED = /^\s*(?:"((?:[^"\\]|\\.)*)"|([^"<>@]*))\s*<([^<>]*)>\s*$/;

function entryOf(text: string): Entry {
  const [, quoted, plain = "", email = ""] = NAMED.exec(text) ?? [];
  return isAddress(email)
    ? { email, name: (quoted?.replaceAll(/\\(.)/g, "$1") ?? plain).trim() }
    : { email: text.trim(), name: "" };
}

/** The entries between separators, but not those in quotes. */
const partsOf = (line: string, separator: "[,;]" | "[,;\\s]") =>
  line.split(new RegExp(`${separator}+(?=(?:[^"]*"[^"]*")*[^"]*$)`)).filter((part) => part.trim() !== "");

/** A line is several entries only if each part has an address; any other line is reported as it was typed. */
function entriesOf(line: string): Entry[] {
  const whole = entryOf(line);
  if (isAddress(whole.email)) {
    return [whole];
  }
  const named = partsOf(line, "[,;]").map(entryOf);
  const entries = named.every(({ email }) => isAddress(email))
    ? named
    : partsOf(line, "[,;\\s]").map(entryOf);
  return entries.every(({ email }) => isAddress(email)) ? entries : [whole];
}

/** The people of a text with one or more addresses. Without a name, the part before the `@` becomes one. */
export function inviteesOf(text: string, name: string): Invitee[] {
  const byAddress = new Map(
    text
      .split("\n")
      .flatMap(entriesOf)
      .map((entry) => [entry.email.toLowerCase(), entry]),
  );
  const typed = byAddress.size === 1 ? name.trim() : "";
  return [...byAddress.values()].map((entry) => ({
    email: entry.email,
    name: typed || entry.name || nameOf(entry.email),
  }));
}

/**
 * Compares invitees with the members and open invitations of the organization.
 *
 * @param isMailed whether invitations are mailed, so that members can verify their addresses by one
 */
export function checkInvitees(
  invitees: Invitee[],
  members: Schemas["Member"][],
  isMailed: boolean,
): CheckedInvitee[] {
  return invitees.map((invitee) => {
    const member = members.find(({ email }) => email === invitee.email.toLowerCase());
    if (!member) {
      return { ...invitee, state: isAddress(invitee.email) ? "new" : "invalid" };
    }
    if (member.status === "invited") {
      return { ...invitee, name: member.name, state: "invited", member };
    }
    return { ...invitee, state: isMailed && !member.email_proven ? "unverified" : "member", member };
  });
}

/** The error of a text that is one line without an address; null if there are several, which are marked one by one. */
export function addressError(text: string): string | null {
  const [only, ...others] = inviteesOf(text, "");
  return only && others.length === 0 && !isAddress(only.email)
    ? "Enter an email address, e.g. ada@acme.com."
    : null;
}

/** Whether an invitation can be sent. */
export const isInvitable = ({ state }: CheckedInvitee) => state !== "invalid" && state !== "member";

/** Formats `ada.lovelace@acme.example` as "Ada Lovelace". */
function nameOf(email: string): string {
  const words = (email.split("@")[0] ?? email).split(/[._-]+/).filter((each) => each !== "");
  return words.map(capitalized).join(" ") || email;
}
