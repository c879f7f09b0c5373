import { Anchor, Button, Group, Select, Table, Text, TextInput } from "@mantine/core";
import { IconMessages, IconPlus } from "@tabler/icons-react";
import { useState, type FormEvent } from "react";
import { Link, useNavigate } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useActorName, useIsAdmin, useOrganizationId } from "../../api/organization";
import { usePagedQuery } from "../../api/pagination";
import { useTeams } from "../../api/queries";
import { AgentFilter } from "../../components/AgentFilter";
import { EmptyState } from "../../components/EmptyState";
import { PagedTable } from "../../components/PagedTable";
import { NoMatches } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { Time } from "../../components/Time";
import { useDialog } from "../../components/useDialog";
import { useFilters } from "../../components/useFilters";
import { NewConversationDialog } from "./NewConversationDialog";

export default function ConversationsPage() {
  const orgId = useOrganizationId();
  const { data: teams = [] } = useTeams(orgId);
  const isAdmin = useIsAdmin();
  const filters = useFilters();
  const dialog = useDialog("new-conversation");
  const workflow_id = filters.get("agent");
  const team_id = filters.get("team") === undefined ? undefined : Number(filters.get("team"));
  const pages = usePagedQuery(
    ["organization", orgId, "conversations", workflow_id, team_id],
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/conversations", {
          params: { path: { orgId }, query: { workflow_id, team_id, limit: 50, after } },
        }),
      ),
    { refetchInterval: 15_000 },
  );
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
      <Group align="flex-end" className="filters">
        <FindById orgId={orgId} />
        <AgentFilter value={workflow_id} onChange={(value) => filters.set("agent", value)} />
        <Select
          label="Team"
          placeholder="All"
          clearable
          data={teams.map((each) => ({ value: String(each.id), label: each.name }))}
          value={filters.get("team") ?? null}
          onChange={(value) => filters.set("team", value)}
        />
      </Group>
      <PagedTable
        pages={pages}
        columns={["Chat with", "Started by", "Team", "Started"]}
        minWidth={560}
        empty={
          filters.any ? (
            <NoMatches icon={IconMessages} things="conversations" onClear={filters.clear} />
          ) : (
            <EmptyState icon={IconMessages} title="No conversations yet" action={create}>
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
          )
        }
      >
        {(each) => <ConversationRow key={each.id} orgId={orgId} conversation={each} />}
      </PagedTable>
      <NewConversationDialog orgId={orgId} opened={dialog.opened} onClose={dialog.close} />
    </Page>
  );
}

/** Opens a conversation by an ID from a log or an API response. */
function FindById({ orgId }: { orgId: string }) {
  const [text, setText] = useState("");
  const [invalid, setInvalid] = useState(false);
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const id = text.trim().replaceAll("-", "").toLowerCase();
    if (/^[0-9a-f]{32}$/.test(id)) {
      void navigate(`/organizations/${orgId}/conversations/${id}`);
    } else {
      setInvalid(true);
    }
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label="Find by ID"
        placeholder="0192f0c1…"
        value={text}
        error={invalid && "Enter a 32-character conversation ID"}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setInvalid(false);
        }}
      />
    </form>
  );
}

function ConversationRow({ orgId, conversation }: { orgId: string; conversation: Schemas["Conversation"] }) {
  const nameOf = useActorName();
  const { data: teams = [] } = useTeams(orgId);
  return (
    <Table.Tr>
      <Table.Td>
        <Link className="rowLink" to={`/organizations/${orgId}/conversations/${conversation.id}`}>
          {conversation.usecase === "DEFAULT"
            ? "Chat with the model"
            : nameOf(`agent:${conversation.config.workflow_id}`)}
        </Link>
        <Text size="xs" c="dimmed" ff="monospace">
          {conversation.id}
        </Text>
      </Table.Td>
      <Table.Td data-label="By">{nameOf(conversation.created_by)}</Table.Td>
      <Table.Td data-label="Team">
        {teams.find((team) => team.id === conversation.team_id)?.name ?? "–"}
      </Table.Td>
      <Table.Td>
        <Time at={conversation.created_at} relative />
      </Table.Td>
    </Table.Tr>
  );
}
