import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconInbox, IconMessages } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { unwrapTagged, type Tagged } from "../../api/conflict";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { useMe } from "../../api/queries";
import { DeleteButton } from "../../components/DeleteButton";
import { Page } from "../../components/Page";
import { QueryBoundary } from "../../components/QueryBoundary";
import { UsageWarning, UsedBy } from "../../components/UsedBy";
import { Time } from "../../components/Time";
import { RenameTeamDialog } from "./RenameTeamDialog";
import { TeamMembers } from "./TeamMembers";
import { useOpenTickets } from "./useOpenTickets";
import { useTeamMembers } from "./useTeamMembers";

const ONE = "/dashboard/api/organizations/{orgId}/teams/{teamId}";

/** A team: its members, and links to its conversations and tickets. */
export default function TeamPage() {
  const orgId = useOrganizationId();
  const teamId = Number(useParams().teamId);
  const path = { orgId, teamId };
  const team = useQuery({
    queryKey: ["organization", orgId, "teams", teamId],
    queryFn: () => unwrapTagged(api.GET(ONE, { params: { path } })),
  });
  return (
    <QueryBoundary query={team}>
      {(found) => <Team key={found.id} orgId={orgId} team={found} />}
    </QueryBoundary>
  );
}

function Team({ orgId, team }: { orgId: string; team: Tagged<Schemas["Team"]> }) {
  const isAdmin = useIsAdmin();
  const [renaming, setRenaming] = useState(false);
  const base = `/organizations/${orgId}`;
  return (
    <Page
      title={team.name}
      back={{ to: `${base}/teams`, label: "Teams" }}
      about={
        <>
          Team {team.id} · created <Time at={team.created_at} relative />
        </>
      }
      actions={
        isAdmin && (
          <>
            <Button variant="default" onClick={() => setRenaming(true)}>
              Rename
            </Button>
            <DeleteButton
              name={team.name}
              action="Delete team"
              consequence="Its members stay in the organization. API keys of the team stop working. This can’t be undone."
              remove={() => unwrap(api.DELETE(ONE, { params: { path: { orgId, teamId: team.id } } }))}
              listPath={`${base}/teams`}
              listKey={["organization", orgId, "teams"]}
            >
              <UsageWarning orgId={orgId} kind="team" id={team.id} />
            </DeleteButton>
          </>
        )
      }
    >
      <TeamLinks orgId={orgId} team={team} />
      <Stack gap="xs" component="section" aria-labelledby="team-members">
        <Title order={2} size="h4" id="team-members">
          Members
        </Title>
        <TeamMembers orgId={orgId} team={team} />
      </Stack>
      <UsedBy
        orgId={orgId}
        kind="team"
        id={team.id}
        title="Agents that assign tickets to this team"
        none="No agent assigns tickets to it."
      />
      <RenameTeamDialog orgId={orgId} team={team} opened={renaming} onClose={() => setRenaming(false)} />
    </Page>
  );
}

/** Owners and admins see the tickets of every team, others those of their own teams. */
function TeamLinks({ orgId, team }: { orgId: string; team: Schemas["Team"] }) {
  const isAdmin = useIsAdmin();
  const { data: me } = useMe();
  const { data: members } = useTeamMembers(orgId, team.id);
  const base = `/organizations/${orgId}`;
  const open = useOpenTickets(orgId, team.id);
  const seesTickets = isAdmin || members?.some((each) => each.id === me?.id);
  return (
    <Group gap="sm">
      {seesTickets && (
        <Button
          component={Link}
          to={`${base}/tickets?assignee=all&team=${team.id}`}
          variant="default"
          leftSection={<IconInbox size={16} />}
        >
          {open === undefined ? "Open tickets" : `${open} open ${open === "1" ? "ticket" : "tickets"}`}
        </Button>
      )}
      <Button
        component={Link}
        to={`${base}/conversations?team=${team.id}`}
        variant="default"
        leftSection={<IconMessages size={16} />}
      >
        Conversations
      </Button>
      {members?.length === 0 && (
        <Text size="sm" c="dimmed">
          Add members, so that someone is notified of this team’s tickets.
        </Text>
      )}
    </Group>
  );
}
