import { Anchor, Button, Checkbox, Group, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconMessages, IconPlus, IconSearch } from "@tabler/icons-react";
import { useEffect, useState, type KeyboardEvent, type ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { usePagedQuery } from "../../api/pagination";
import { useTeams } from "../../api/queries";
import { AgentFilter } from "../../components/AgentFilter";
import { EmptyState } from "../../components/EmptyState";
import { isBlank, PagedTable } from "../../components/PagedTable";
import { NoMatches } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { LoadingIndicator } from "../../components/QueryBoundary";
import { statusText } from "../../components/StatusLabel";
import { useDialog } from "../../components/useDialog";
import { useFilters } from "../../components/useFilters";
import { ConversationRow } from "./ConversationRow";
import { NewConversationDialog } from "./NewConversationDialog";

const RUN_STATUSES = [
  "RUNNING",
  "PAUSED",
  "COMPLETED",
  "FAILED",
  "CANCELLED",
  "TERMINATED",
] satisfies Schemas["InstanceStatus"][];

/** A page of a search may be empty although older conversations match. So many pages are searched by themselves. */
const SEARCHED_PAGES = 10;

export default function ConversationsPage() {
  const orgId = useOrganizationId();
  const { data: teams = [] } = useTeams(orgId);
  const filters = useFilters();
  const dialog = useDialog("new-conversation");
  // Empties the search field, which keeps the focus otherwise.
  const [cleared, setCleared] = useState(0);
  const clear = () => {
    filters.clear();
    setCleared(cleared + 1);
  };
  const { pages, searching } = useSummaries(orgId, filters);
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      New conversation
    </Button>
  );
  return (
    <Page
      title="Conversations"
      about="All chats with agents and the model, from the API and the dashboard."
      actions={create}
    >
      {!isBlank(pages, filters.any) && (
        <Group align="center" gap="xs" className="filters">
          <SegmentedControl
            aria-label="Started by"
            data={[
              { value: "all", label: "All" },
              { value: "mine", label: "Mine" },
            ]}
            value={filters.get("mine") === "true" ? "mine" : "all"}
            onChange={(value) => filters.set("mine", value === "mine" ? "true" : null)}
          />
          <SearchField
            key={cleared}
            orgId={orgId}
            value={filters.get("q") ?? ""}
            onChange={(value) => filters.set("q", value)}
          />
          <AgentFilter
            unlabelled
            value={filters.get("agent")}
            onChange={(value) => filters.set("agent", value)}
          />
          <Select
            aria-label="Last run"
            w={140}
            placeholder="Any last run"
            clearable
            data={RUN_STATUSES.map((value) => ({ value, label: statusText(value) }))}
            value={filters.get("status") ?? null}
            onChange={(value) => filters.set("status", value)}
          />
          {teams.length > 0 && (
            <Select
              aria-label="Team"
              w={130}
              placeholder="All teams"
              clearable
              data={teams.map((each) => ({ value: String(each.id), label: each.name }))}
              value={filters.get("team") ?? null}
              onChange={(value) => filters.set("team", value)}
            />
          )}
          <Checkbox
            label="Unread"
            flex="none"
            checked={filters.get("unread") === "true"}
            onChange={(event) => filters.set("unread", event.currentTarget.checked ? "true" : null)}
          />
        </Group>
      )}
      {searching ? (
        <LoadingIndicator />
      ) : (
        <PagedTable
          pages={pages}
          columns={["Conversation", "Agent", "Started by", "Last run", "Last activity"]}
          minWidth={720}
          empty={
            filters.any ? (
              <NoMatches icon={IconMessages} things="conversations" onClear={clear} />
            ) : (
              <NoConversations orgId={orgId} action={create} />
            )
          }
        >
          {(each) => (
            <ConversationRow key={each.id} orgId={orgId} searched={filters.get("q")} conversation={each} />
          )}
        </PagedTable>
      )}
      <NewConversationDialog orgId={orgId} opened={dialog.opened} onClose={dialog.close} />
    </Page>
  );
}

/** The filtered conversations, and whether an unfinished search has not found any yet. */
function useSummaries(orgId: string, filters: ReturnType<typeof useFilters>) {
  const workflow_id = filters.get("agent");
  const team_id = filters.get("team") === undefined ? undefined : Number(filters.get("team"));
  const run_status = RUN_STATUSES.find((each) => each === filters.get("status"));
  const unread = filters.get("unread") === "true" || undefined;
  const mine = filters.get("mine") === "true" || undefined;
  const q = filters.get("q");
  const pages = usePagedQuery(
    ["organization", orgId, "conversations", workflow_id, team_id, run_status, unread, mine, q],
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/conversation-summaries", {
          params: {
            path: { orgId },
            query: { workflow_id, team_id, run_status, unread, mine, q, limit: 50, after },
          },
        }),
      ),
    { refetchInterval: q ? undefined : 15_000, idOf: ({ id }) => id },
  );
  const { data, items, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const searching = items.length === 0 && hasNextPage && (data?.pages.length ?? 0) < SEARCHED_PAGES;
  useEffect(() => {
    if (searching && !isFetchingNextPage) {
      void fetchNextPage();
    }
  }, [searching, isFetchingNextPage, fetchNextPage]);
  return { pages, searching };
}

interface SearchProps {
  orgId: string;
  value: string;
  onChange: (value: string | null) => void;
}

/** Searches while the user types. Enter opens a conversation by an ID from a log or an API response. */
function SearchField({ orgId, value, onChange }: SearchProps) {
  const [text, setText] = useState(value);
  const navigate = useNavigate();
  const search = useDebouncedCallback((next: string) => onChange(next.trim() || null), 300);
  const onKeyDown = (event: KeyboardEvent) => {
    const id = text.trim().replaceAll("-", "").toLowerCase();
    if (event.key === "Enter" && /^[0-9a-f]{32}$/.test(id)) {
      void navigate(`/organizations/${orgId}/conversations/${id}`);
    }
  };
  return (
    <TextInput
      type="search"
      aria-label="Search"
      flex="1 1 180px"
      maw={280}
      placeholder="Title, text or ID"
      maxLength={100}
      leftSection={<IconSearch size={16} />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
      onKeyDown={onKeyDown}
    />
  );
}

function NoConversations({ orgId, action }: { orgId: string; action: ReactNode }) {
  const isAdmin = useIsAdmin();
  return (
    <EmptyState icon={IconMessages} title="No conversations yet" action={action}>
      Start one to try an agent
      {isAdmin && (
        <>
          , or send a message with an{" "}
          <Anchor component={Link} inherit to={`/organizations/${orgId}/api-access`}>
            API key
          </Anchor>
        </>
      )}
      .
    </EmptyState>
  );
}
