import { expect, test } from "vitest";
import type { Schemas } from "../../api";
import { groupSessions } from "./sessionGroups";

const session = (id: string, agent: string, lastSeen: string, current = false) =>
  ({ id, user_agent: agent, last_seen_at: lastSeen, current }) as Schemas["UserSession"];

test("this browser comes first, and identical browsers are one group", () => {
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";
  const groups = groupSessions([
    session("a", "curl/8", "2026-01-01T00:00:00Z"),
    session("b", firefox, "2026-01-02T00:00:00Z"),
    session("c", firefox, "2026-01-03T00:00:00Z", true),
    session("d", firefox, "2026-01-04T00:00:00Z"),
  ]);
  expect(groups.map(({ sessions }) => sessions.map(({ id }) => id))).toEqual([["c"], ["d", "b"], ["a"]]);
});
