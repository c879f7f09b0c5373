import { Group, Stack, VisuallyHidden } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useEffect, useRef, type KeyboardEvent } from "react";
import { Link, useLocation } from "react-router";
import { useOrganizationId, type Schemas } from "../../api";
import { IconButton } from "../../components/IconButton";
import { useActorName } from "../../components/actorNames";
import { Dimmed } from "../../components/variants";
import { LoadMoreButton } from "../../components/LoadMoreButton";
import { QueryBoundary } from "../../components/QueryBoundary";
import type { ShortcutGroup } from "../../components/shortcuts";
import { Time } from "../../components/Time";
import { useDialog } from "../../components/useDialog";
import { useFilters } from "../../components/useFilters";
import { useListKeys } from "../../components/useListKeys";
import { titleInList } from "./chatMessages";
import { MineFilter, UnreadFilter } from "./ConversationFilters";
import { LastLine } from "./ConversationRow";
import { ConversationSearch } from "./ConversationSearch";
import classes from "./list.module.css";
import { NewConversationDialog } from "./NewConversationDialog";
import { useSummaries } from "./useSummaries";

const SHORTCUTS: ShortcutGroup = {
  title: "Conversation",
  shortcuts: [
    ["Esc", "Leave the message field"],
    ["J", "Next conversation"],
    ["K", "Previous conversation"],
    ["/", "Search conversations"],
  ],
};

/** Opens the conversation above or below the focused one. */
function moveByArrow(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const links = [...event.currentTarget.querySelectorAll("a")];
  const target = links[links.indexOf(event.target as HTMLAnchorElement) + (step ?? 0)];
  if (step !== undefined && event.target instanceof HTMLAnchorElement && target) {
    event.preventDefault();
    target.focus();
    target.click();
  }
}

/** The conversations beside the open one, with the filters of the list's page. */
export function ConversationList({ openId }: { openId: string }) {
  const filters = useFilters();
  const { pages } = useSummaries(filters);
  useListKeys(SHORTCUTS, { opens: true });
  const dialog = useDialog("new-conversation");
  return (
    <aside className={`${classes.list} screenOnly`} aria-label="Conversations">
      <div className={classes.listHead}>
        <Group gap="xs" wrap="nowrap">
          <ConversationSearch size="sm" flex={1} />
          <IconButton
            icon={IconPlus}
            label="New conversation"
            tooltip="New conversation"
            variant="default"
            size="input-sm"
            onClick={dialog.open}
          />
        </Group>
        <Group justify="space-between" mt="xs">
          <MineFilter filters={filters} size="xs" />
          <UnreadFilter size="xs" />
        </Group>
        <NewConversationDialog opened={dialog.opened} onClose={dialog.close} />
      </div>
      <QueryBoundary query={pages}>
        {() => (
          <Stack gap="xs">
            {pages.items.length === 0 && !pages.hasNextPage && (
              <Dimmed p="sm">No conversations match.</Dimmed>
            )}
            {/* The links are the controls; the keys are a shortcut between them. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
            <ul className={classes.items} onKeyDown={moveByArrow}>
              {pages.items.map((each) => (
                <ListItem
                  key={each.id}
                  conversation={each}
                  isOpen={each.id === openId}
                  searched={filters.get("q")}
                />
              ))}
            </ul>
            <LoadMoreButton pages={pages} />
          </Stack>
        )}
      </QueryBoundary>
    </aside>
  );
}

interface ItemProps {
  conversation: Schemas["ConversationSummary"];
  isOpen: boolean;
  searched: string | undefined;
}

function ListItem({ conversation, isOpen, searched }: ItemProps) {
  const orgId = useOrganizationId();
  const nameOf = useActorName();
  const { search } = useLocation();
  const { unread, workflow_id } = conversation;
  const agent = workflow_id ? nameOf(`agent:${workflow_id}`) : "The model";
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) {
      item.current?.scrollIntoView({ block: "nearest" });
    }
  }, [isOpen]);
  return (
    <li ref={item}>
      <Link
        className={classes.item}
        to={{ pathname: `/organizations/${orgId}/conversations/${conversation.id}`, search }}
        data-list-row
        aria-current={isOpen ? "page" : undefined}
        data-unread={(unread && !isOpen) || undefined}
      >
        <span className={classes.itemTitle}>
          <span>
            {unread && !isOpen && <VisuallyHidden>Unread: </VisuallyHidden>}
            {titleInList(conversation, agent)}
          </span>
          <small>
            <Time at={conversation.last_activity_at} relative />
          </small>
        </span>
        <small>
          <LastLine conversation={conversation} searched={searched} agent={agent} />
        </small>
      </Link>
    </li>
  );
}
