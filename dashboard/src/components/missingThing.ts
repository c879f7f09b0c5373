interface MissingThing {
  thing: string;
  /** The address of the list that it would be in. */
  list: string;
  listLabel: string;
}

/** Names by the path of a list, below the organization. */
const THINGS: Record<string, [thing: string, listLabel: string]> = {
  tickets: ["ticket", "Tickets"],
  conversations: ["conversation", "Conversations"],
  agents: ["agent", "Agents"],
  runs: ["run", "Runs"],
  tools: ["tool", "Tools"],
  code: ["code", "Code"],
  data: ["data set", "Data"],
  emails: ["email", "Emails"],
  teams: ["team", "Teams"],
  "webhooks/endpoints": ["webhook endpoint", "Webhooks"],
  "webhooks/deliveries": ["webhook delivery", "Deliveries"],
};

/** What a path below an organization refers to; undefined for a path that no page has. */
export function missingThing(pathname: string): MissingThing | undefined {
  const [, organization, kind = ""] =
    /^(\/organizations\/[^/]+)\/((?:webhooks\/)?[a-z-]+)\/[^/]+/.exec(pathname) ?? [];
  const found = THINGS[kind];
  return (
    found && {
      thing: found[0],
      list: `${organization}/${kind.replace("/endpoints", "")}`,
      listLabel: found[1],
    }
  );
}
