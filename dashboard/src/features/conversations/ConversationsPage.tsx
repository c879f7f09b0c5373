import { Anchor, Button, Group, Select, Stack, Table, Text, TextInput } from "@mantine/core";
import { IconMessages, IconPlus } from "@tabler/icons-react";
import { useState, type FormEvent } from "react";
import { Link, useNavigate } from "react-router";
import { useDisclosure } from "@mantine/hooks";
import { api, ask, type Schemas } from "../../api/client";
import { useActorName, useOrganizationId } from "../../api/organization";
import { usePages } from "../../api/pages";
import { useTeams, useWorkflows } from "../../api/queries";
import { EmptyState } from "../../parts/EmptyState";
import { Loaded } from "../../parts/Loaded";
import { More } from "../../parts/More";
import { Page } from "../../parts/Page";
import { Time } from "../../parts/Time";
import { useFilters } from "../../parts/useFilters";
import { NewConversationDialog } from "./NewConversationDialog";

export default function ConversationsPage() {
  const orgId = useOrganizationId();
  const { data: workflows = [] } = useWorkflows(orgId);
  const { data: teams = [] } = useTeams(orgId);
  const filters = useFilters();
  const [creating, dialog] = useDisclosure(false);
  const workflow_id = filters.get("agent");
  const team_id = filters.get("team") === undefined ? undefined : Number(filters.get("team"));
  const pages = usePages(
    ["organization", orgId, "conversations", workflow_id, team_id],
    (after) =>
      ask(
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
      about="Chats with the service and with agents, from programs and from here."
      actions={create}
    >
      <Group align="flex-end">
        <FindById orgId={orgId} />
        <Select
          label="Agent"
          placeholder="All"
          clearable
          searchable
          data={workflows.map((each) => ({ value: each.id, label: each.name }))}
          value={workflow_id ?? null}
          onChange={(value) => filters.set("agent", value)}
        />
        <Select
          label="Team"
          placeholder="All"
          clearable
          data={teams.map((each) => ({ value: String(each.id), label: each.name }))}
          value={filters.get("team") ?? null}
          onChange={(value) => filters.set("team", value)}
        />
      </Group>
      <Loaded query={pages}>
        {() =>
          pages.items.length === 0 ? (
            <EmptyState icon={IconMessages} title="No conversations here" action={create}>
              Start one to try out an agent, or send a first message with an{" "}
              <Anchor component={Link} inherit to={`/organizations/${orgId}/api-access`}>
                API key
              </Anchor>
              .
            </EmptyState>
          ) : (
            <Stack>
              <ConversationTable orgId={orgId} conversations={pages.items} />
              <More pages={pages} />
            </Stack>
          )
        }
      </Loaded>
      <NewConversationDialog orgId={orgId} opened={creating} onClose={dialog.close} />
    </Page>
  );
}

/** People come with an id from a log or from a program; it leads straight to the conversation. */
function FindById({ orgId }: { orgId: string }) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const id = text.trim().replaceAll("-", "").toLowerCase();
    if (/^[0-9a-f]{32}$/.test(id)) {
      void navigate(`/organizations/${orgId}/conversations/${id}`);
    } else {
      setWrong(true);
    }
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label="Find by id"
        placeholder="0192f0c1…"
        value={text}
        error={wrong && "An id has 32 digits and letters a to f"}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setWrong(false);
        }}
      />
    </form>
  );
}

function ConversationTable({
  orgId,
  conversations,
}: {
  orgId: string;
  conversations: Schemas["Conversation"][];
}) {
  const nameOf = useActorName();
  const { data: teams = [] } = useTeams(orgId);
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>With</Table.Th>
            <Table.Th>Started by</Table.Th>
            <Table.Th>Team</Table.Th>
            <Table.Th>Started</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {conversations.map((each) => (
            <Table.Tr key={each.id}>
              <Table.Td>
                <Link className="rowLink" to={`/organizations/${orgId}/conversations/${each.id}`}>
                  {each.usecase === "DEFAULT"
                    ? "Chat with the model"
                    : nameOf(`agent:${each.config.workflow_id}`)}
                </Link>
                <Text size="xs" c="dimmed" ff="monospace">
                  {each.id}
                </Text>
              </Table.Td>
              <Table.Td>{nameOf(each.created_by)}</Table.Td>
              <Table.Td>{teams.find((team) => team.id === each.team_id)?.name ?? "–"}</Table.Td>
              <Table.Td>
                <Time at={each.created_at} relative />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
