import { Anchor, Group, Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { PageLink } from "./PageLink";
import { useUsages, type Usage, type UsedKind } from "../api";
import { CardHeading, Strong } from "./variants";

/** The most agents that the page of a subject lists. */
export const USAGES_SHOWN = 50;

interface UsageLinksProps {
  usage: Usage | undefined;
  /** Shown if no agent uses it. */
  none?: ReactNode;
  size?: "sm" | "md";
}

/** Links to the agents that use something, such as "Invoice approval, Web lookup (draft) and 3 more". */
export function UsageLinks({ usage, none = "–", size = "sm" }: UsageLinksProps) {
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
          <Anchor component={PageLink} to={`agents/${agent.id}`} size={size}>
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
  kind: UsedKind;
  id: string | number;
}

interface SectionProps extends UsedByProps {
  title?: string;
  /** Shown if no agent uses it. */
  none?: string;
}

/** The section of a page that lists the agents that use its subject. */
export function UsedBy({ kind, id, title = "Used by", none = "No agent uses it." }: SectionProps) {
  const usages = useUsages(kind, [id], USAGES_SHOWN);
  return (
    <section>
      <CardHeading mb={4}>{title}</CardHeading>
      <UsageLinks usage={usages.data?.get(String(id))} none={none} />
    </section>
  );
}

/** For the confirmation of a deletion: the agents that use its subject, or that none does. */
export function UsageWarning({ kind, id }: UsedByProps) {
  const usage = useUsages(kind, [id]).data?.get(String(id));
  if (usage?.total === 0) {
    return (
      <Text size="sm" mt="sm">
        No agent uses it.
      </Text>
    );
  }
  return usage ? (
    <Group gap={6} mt="sm" component="section" aria-label="Used by">
      <Strong>{usage.total === 1 ? "1 agent uses it:" : `${usage.total} agents use it:`}</Strong>
      <UsageLinks usage={usage} />
    </Group>
  ) : null;
}
