import { Anchor, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import { Link } from "react-router";
import { api, unwrap, type Schemas } from "../api/client";

export type UsedKind = "tool" | "tool_provider" | "code_artifact" | "data_lake" | "team";
type Usage = Schemas["WorkflowUsage"];

/** The most IDs of one request. */
const MAX_IDS = 100;

/** The most agents that the page of a subject lists. */
export const USAGES_SHOWN = 50;

/** The agents that use each of these, by ID. */
export function useUsages(orgId: string, kind: UsedKind, ids: (string | number)[], limit = 20) {
  return useQuery({
    queryKey: ["organization", orgId, "workflows", "usages", kind, limit, ids.join()],
    queryFn: async () => {
      const parts = Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, part) =>
        ids.slice(part * MAX_IDS, (part + 1) * MAX_IDS).join(),
      );
      const found = await Promise.all(
        parts.map((part) =>
          unwrap(
            api.GET("/dashboard/api/organizations/{orgId}/workflow-references", {
              params: { path: { orgId }, query: { kind, ids: part, limit } },
            }),
          ),
        ),
      );
      return new Map(found.flatMap(({ items }) => items.map((usage): [string, Usage] => [usage.id, usage])));
    },
    enabled: ids.length > 0,
    placeholderData: (before) => before,
    refetchOnMount: "always",
  });
}

interface UsageLinksProps {
  orgId: string;
  usage: Usage | undefined;
  /** Shown if no agent uses it. */
  none?: ReactNode;
  size?: "sm" | "md";
}

/** Links to the agents that use something, such as "Invoice approval, Web lookup (draft) and 3 more". */
export function UsageLinks({ orgId, usage, none = "–", size = "sm" }: UsageLinksProps) {
  if (!usage) {
    return null;
  }
  if (usage.total === 0) {
    return (
      <Text span size={size} c="dimmed">
        {none}
      </Text>
    );
  }
  const more = usage.total - usage.workflows.length;
  return (
    <Text span size={size}>
      {usage.workflows.map((agent, index) => (
        <Fragment key={agent.id}>
          {index > 0 && ", "}
          <Anchor component={Link} to={`/organizations/${orgId}/agents/${agent.id}`} size={size}>
            {agent.name}
          </Anchor>
          {!agent.in_published && " (draft)"}
          {!agent.in_draft && " (published version)"}
        </Fragment>
      ))}
      {more > 0 && ` and ${more} more`}
    </Text>
  );
}

interface UsedByProps {
  orgId: string;
  kind: UsedKind;
  id: string | number;
}

interface SectionProps extends UsedByProps {
  title?: string;
  /** Shown if no agent uses it. */
  none?: string;
}

/** The section of a page that lists the agents that use its subject. */
export function UsedBy({ orgId, kind, id, title = "Used by", none = "No agent uses it." }: SectionProps) {
  const usages = useUsages(orgId, kind, [id], USAGES_SHOWN);
  return (
    <section>
      <Title order={2} size="h5" mb={4}>
        {title}
      </Title>
      <UsageLinks orgId={orgId} usage={usages.data?.get(String(id))} none={none} />
    </section>
  );
}

/** For the confirmation of a deletion: the agents that use its subject, or that none does. */
export function UsageWarning({ orgId, kind, id }: UsedByProps) {
  const usage = useUsages(orgId, kind, [id]).data?.get(String(id));
  if (usage?.total === 0) {
    return (
      <Text size="sm" mt="sm">
        No agent uses it.
      </Text>
    );
  }
  return usage ? (
    <Group gap={6} mt="sm" component="section" aria-label="Used by">
      <Text size="sm" fw={600}>
        {usage.total === 1 ? "1 agent uses it:" : `${usage.total} agents use it:`}
      </Text>
      <UsageLinks orgId={orgId} usage={usage} />
    </Group>
  ) : null;
}
