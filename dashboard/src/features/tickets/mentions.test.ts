import { describe, expect, test } from "vitest";
import type { Schemas } from "../../api";
import {
  completeMention,
  matchingPeople,
  membersWhoSee,
  mentionedIn,
  readMentioned,
  typedMention,
  writeMentioned,
} from "./mentions";

const ADA = { id: "0192f0c17a3b7c4d8e5f60718293a4b5", name: "Ada" };
const LOVELACE = { id: "0192f0c17a3b7c4d8e5f60718293a4b6", name: "Ada Lovelace" };

describe("a mention that is typed", () => {
  test("starts with an @ that follows no word", () => {
    expect(typedMention("Hi @ad", 6)).toEqual({ start: 3, query: "ad" });
    expect(typedMention("@", 1)).toEqual({ start: 0, query: "" });
    expect(typedMention("(@Ada Lo", 8)).toEqual({ start: 1, query: "Ada Lo" });
    expect(typedMention("ada@acme.example", 16)).toBeNull();
    expect(typedMention("5 @ 3", 5)).toBeNull();
    expect(typedMention("@ad\nnext", 8)).toBeNull();
    expect(typedMention("", 0)).toBeNull();
  });

  test("is completed where it stands", () => {
    const text = "Hi @ad and more";
    expect(completeMention(text, { start: 3, query: "ad" }, "Ada")).toEqual({
      text: "Hi @Ada and more",
      caret: 8,
    });
    expect(completeMention("@ad\nNext", { start: 0, query: "ad" }, "Ada").text).toBe("@Ada \nNext");
  });

  test("finds people by the start of a word", () => {
    expect(matchingPeople([ADA, LOVELACE], "LOVE")).toEqual([LOVELACE]);
    expect(matchingPeople([ADA, LOVELACE], "")).toEqual([ADA, LOVELACE]);
    expect(matchingPeople([ADA, LOVELACE], "da")).toEqual([]);
  });
});

describe("mentioned people", () => {
  test("are those whose names are still in the text", () => {
    expect(mentionedIn("@Ada Lovelace, please", [ADA, LOVELACE])).toEqual([LOVELACE]);
    expect(mentionedIn("@Ada, @Ada Lovelace!", [ADA, LOVELACE])).toEqual([ADA, LOVELACE]);
    expect(mentionedIn("@Adam and x@Ada", [ADA])).toEqual([]);
    expect(mentionedIn("@A.B* (C)", [{ ...ADA, name: "A.B* (C)" }])).toHaveLength(1);
    expect(mentionedIn("@Ada", [])).toEqual([]);
  });

  test("survive in a draft", () => {
    expect(readMentioned(writeMentioned([ADA, LOVELACE]))).toEqual([ADA, LOVELACE]);
    expect(readMentioned("")).toEqual([]);
  });

  test("may see the ticket", () => {
    const member = (id: string, role: string, team_ids: number[] = []) =>
      ({ id, role, team_ids }) as Schemas["Member"];
    const assignments: Schemas["TicketAssignee"][] = [
      { assignment_type: "User", assignee_id: "b" },
      { assignment_type: "Team", assignee_id: "3" },
    ];
    const members = [
      member("a", "admin"),
      member("b", "member"),
      member("c", "member", [3]),
      member("d", "member", [4]),
    ];
    expect(membersWhoSee(members, { assignments }).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });
});
