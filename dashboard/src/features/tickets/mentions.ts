import type { Schemas } from "../../api";
import { mentionPattern } from "../../components/mentionPattern";

type Member = Schemas["Member"];

/** A person that the author of a comment has chosen, by the name at that time. */
export interface MentionedPerson {
  id: string;
  name: string;
}

/** A mention that is being typed: the position of its "@" and the text after it. */
export interface TypedMention {
  start: number;
  query: string;
}

const MAX_QUERY_LENGTH = 40;

/** The mention before the caret, such as "@ad"; null without one. The "@" of an email address is none. */
export function typedMention(text: string, caret: number): TypedMention | null {
  const found = /(?<![\p{L}\p{N}_])@(?!\s)([^@\n]*)$/u.exec(text.slice(0, caret));
  const query = found?.[1] ?? "";
  return found && query.length <= MAX_QUERY_LENGTH ? { start: found.index, query } : null;
}

/** The text with the typed mention completed to "@Name ", and the caret after it. */
export function completeMention(text: string, { start, query }: TypedMention, name: string) {
  const before = `${text.slice(0, start)}@${name} `;
  return { text: before + text.slice(start + 1 + query.length).replace(/^ /, ""), caret: before.length };
}

/** The members who may see a ticket: owners, admins, its assignees and the members of its teams. */
export const membersWhoSee = (
  members: Member[],
  { assignments }: Pick<Schemas["TicketDetails"], "assignments">,
) =>
  members.filter(
    ({ id, role, team_ids }) =>
      role !== "member" ||
      assignments.some(({ assignment_type, assignee_id }) =>
        assignment_type === "User" ? assignee_id === id : team_ids.map(String).includes(assignee_id),
      ),
  );

/** The people whose name has a word that starts with the typed text. */
export const matchingPeople = <P extends { name: string }>(people: P[], query: string): P[] =>
  people.filter(({ name }) => ` ${name.toLowerCase()}`.includes(` ${query.toLowerCase()}`));

/** Those of the chosen people whose names are still in the text. */
export function mentionedIn(text: string, chosen: MentionedPerson[]): MentionedPerson[] {
  const pattern = mentionPattern(chosen.map(({ name }) => name));
  const found = pattern ? new Set(text.match(pattern)) : new Set();
  return chosen.filter(({ name }) => found.has(`@${name}`));
}

const ID_LENGTH = 32;

/** Chosen people as the text of a draft: a line for each, with ID and name. */
export const writeMentioned = (people: MentionedPerson[]) =>
  people.map(({ id, name }) => `${id} ${name}`).join("\n");

export const readMentioned = (draft: string): MentionedPerson[] =>
  draft
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ id: line.slice(0, ID_LENGTH), name: line.slice(ID_LENGTH + 1) }));
