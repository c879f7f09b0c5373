import { Anchor, Box, Breadcrumbs, Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { PageLink } from "./PageLink";
import { useRecordVisit } from "./recentPages";
import { useFocusAfterNavigation } from "./useFocusAfterNavigation";
import { useRowOfPage } from "./useListKeys";

interface Props {
  title: string;
  /** One sentence on the page's purpose. */
  about?: ReactNode;
  /** The page above, as for a `PageLink`. */
  back?: { to: string; label: string; state?: unknown };
  badge?: ReactNode;
  /** A line below the title of a dense page. */
  details?: ReactNode;
  actions?: ReactNode;
  /** For pages that fill the window: everything above the content is in one row. */
  dense?: boolean;
  /** For long pages without actions: the title stays in view. */
  stickyTitle?: boolean;
  children: ReactNode;
}

export function Page(props: Props) {
  const { title, about, back, badge, details, actions, dense = false, stickyTitle = false, children } = props;
  useDocumentTitle(`${title} · Parley`);
  useRecordVisit(title);
  useRowOfPage();
  const heading = useFocusAfterNavigation<HTMLHeadingElement>();
  if (dense) {
    return (
      <>
        <Group justify="space-between" gap="xs" px="md" py={8} flex="none">
          {/* Wraps inside, so that a longer text does not move the actions to another row. */}
          <div style={{ flex: "1 1 320px", minWidth: 0 }}>
            <Group gap="sm" wrap="nowrap">
              {back && (
                <Anchor
                  component={PageLink}
                  to={back.to}
                  state={back.state}
                  size="sm"
                  flex="none"
                  className="screenOnly"
                >
                  ← {back.label}
                </Anchor>
              )}
              <Title order={1} size="h4" ref={heading} tabIndex={-1} lineClamp={2} title={title}>
                {title}
              </Title>
              {badge && <Box flex="none">{badge}</Box>}
            </Group>
            {details}
          </div>
          {actions && (
            <Group gap={8} className="screenOnly" data-commands>
              {actions}
            </Group>
          )}
        </Group>
        {children}
      </>
    );
  }
  const crumbs = back && (
    <Breadcrumbs mb={4}>
      <Anchor component={PageLink} to={back.to} state={back.state} size="sm" truncate maw="100%">
        ← {back.label}
      </Anchor>
    </Breadcrumbs>
  );
  const titleRow = (
    <Group gap="sm" className={stickyTitle ? "stickyTitle" : undefined}>
      <Title
        order={1}
        size="h2"
        ref={heading}
        tabIndex={-1}
        lineClamp={2}
        title={title}
        style={{ overflowWrap: "anywhere" }}
      >
        {title}
      </Title>
      {badge}
    </Group>
  );
  const purpose = about && (
    <Text c="dimmed" mt={4} component="div" style={{ textWrap: "pretty" }}>
      {about}
    </Text>
  );
  if (stickyTitle) {
    return (
      <Stack gap={0}>
        {crumbs}
        {titleRow}
        {purpose}
        {children}
      </Stack>
    );
  }
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        {/* Wraps inside, so that a longer text does not move the actions to another row. */}
        <div style={{ flex: "1 1 320px", minWidth: 0 }}>
          {crumbs}
          {titleRow}
          {purpose}
        </div>
        {actions && (
          <Group gap={8} data-commands>
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  );
}
