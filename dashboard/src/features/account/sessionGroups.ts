import type { Schemas } from "../../api";
import { browserName } from "./browserName";

type Session = Schemas["UserSession"];

interface SessionGroup {
  name: string;
  /** The last used first. */
  sessions: Session[];
}

/** This browser's session first, then the others by browser, the last used first. */
export function groupSessions(sessions: Session[]): SessionGroup[] {
  const byUse = sessions.toSorted((one, other) => other.last_seen_at.localeCompare(one.last_seen_at));
  const groups = new Map<string, Session[]>();
  for (const each of byUse.filter(({ current }) => !current)) {
    const name = browserName(each.user_agent);
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  return [
    ...byUse
      .filter(({ current }) => current)
      .map((each) => ({ name: browserName(each.user_agent), sessions: [each] })),
    ...[...groups].map(([name, some]) => ({ name, sessions: some })),
  ];
}
