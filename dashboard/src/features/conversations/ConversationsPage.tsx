import { IconMessages } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { TextLink } from "../../components/PageLink";
import { useIsAdmin, useTeams } from "../../api";
import { AgentFilter } from "../../components/AgentFilter";
import { EmptyState } from "../../components/EmptyState";
import { countSet, FilterBar } from "../../components/FilterBar";
import { isBlank, PagedTable } from "../../components/PagedTable";
import { NoMatches } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { LoadingIndicator } from "../../components/QueryBoundary";
import { SavedViews } from "../../components/SavedViews";
import { statusText } from "../../components/StatusLabel";
import { SelectFilter } from "../../components/filters";
import { useDialog } from "../../components/useDialog";
import { useFilters } from "../../components/useFilters";
import { listShortcuts, useListKeys } from "../../components/useListKeys";
import { AddButton } from "../../components/variants";
import { MineFilter, UnreadFilter } from "./ConversationFilters";
import { ConversationRow } from "./ConversationRow";
import { ConversationSearch } from "./ConversationSearch";
import { NewConversationDialog } from "./NewConversationDialog";
import { FILTER_NAMES, RUN_STATUSES, useSummaries } from "./useSummaries";

const SHORTCUTS = listShortcuts("Conversations", "conversation", "conversations");

const FILTERS_BESIDE_SEARCH = FILTER_NAMES.filter((name) => name !== "q");

export default function ConversationsPage() {
  const { data: teams = [] } = useTeams();
  const filters = useFilters();
  const dialog = useDialog("new-conversation");
  useListKeys(SHORTCUTS);
  const { pages, searching } = useSummaries(filters);
  const create = <AddButton onClick={dialog.open}>New conversation</AddButton>;
  return (
    <Page
      title="Conversations"
      about="All chats with agents and the model, from the API and the dashboard."
      actions={
        <>
          <SavedViews list="conversation" filters={FILTER_NAMES} />
          {create}
        </>
      }
    >
      {!isBlank(pages, filters.any) && (
        <FilterBar
          used={countSet(FILTERS_BESIDE_SEARCH.map(filters.get))}
          clearable
          search={<ConversationSearch />}
        >
          <MineFilter filters={filters} />
          <AgentFilter unlabelled />
          <SelectFilter
            param="status"
            aria-label="Last run"
            w={140}
            placeholder="Any last run"
            data={RUN_STATUSES.map((value) => ({ value, label: statusText(value) }))}
          />
          {teams.length > 0 && (
            <SelectFilter
              param="team"
              aria-label="Team"
              w={130}
              placeholder="All teams"
              data={teams.map((each) => ({ value: String(each.id), label: each.name }))}
            />
          )}
          <UnreadFilter />
        </FilterBar>
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
              <NoMatches icon={IconMessages} things="conversations" />
            ) : (
              <NoConversations action={create} />
            )
          }
        >
          {(each) => <ConversationRow key={each.id} searched={filters.get("q")} conversation={each} />}
        </PagedTable>
      )}
      <NewConversationDialog opened={dialog.opened} onClose={dialog.close} />
    </Page>
  );
}

function NoConversations({ action }: { action: ReactNode }) {
  const isAdmin = useIsAdmin();
  return (
    <EmptyState icon={IconMessages} title="No conversations yet" action={action}>
      Start one to try an agent
      {isAdmin && (
        <>
          , or send a message with an <TextLink to="api-access">API key</TextLink>
        </>
      )}
      .
    </EmptyState>
  );
}
