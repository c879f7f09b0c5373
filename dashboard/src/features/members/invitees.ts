import { capitalized } from "../../components/capitalized";

export interface Invitee {
  email: string;
  name: string;
}

/** The people of a text with one or more addresses. Without a name, the part before the `@` becomes one. */
export function inviteesOf(text: string, name: string): Invitee[] {
  const addresses = [...new Set(text.split(/[\s,;]+/).filter((each) => each !== ""))];
  const [only] = addresses;
  return addresses.length === 1 && only
    ? [{ email: only, name: name.trim() || nameOf(only) }]
    : addresses.map((email) => ({ email, name: nameOf(email) }));
}

/** The error of several addresses of which some are invalid. The server checks a single one. */
export function addressError(text: string): string | undefined {
  const invitees = inviteesOf(text, "");
  const wrong = invitees.map(({ email }) => email).filter((email) => !/^[^@]+@[^@]+$/.test(email));
  return invitees.length > 1 && wrong.length > 0
    ? `Not an email address: ${wrong.join(", ")}. No invitation was sent.`
    : undefined;
}

/** Formats `ada.lovelace@acme.example` as "Ada Lovelace". */
function nameOf(email: string): string {
  const words = (email.split("@")[0] ?? email).split(/[._-]+/).filter((each) => each !== "");
  return words.map(capitalized).join(" ") || email;
}
