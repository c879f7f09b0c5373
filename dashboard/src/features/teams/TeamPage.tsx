import { Group, Stack } from "@mantine/core";
import { IconInbox, IconMessages } from "@tabler/icons-react";
import { useState } from "react";
import { useParams } from "react-router";
import { PageLink } from "../../components/PageLink";
import {
  deleteTeam,
  organizationKey,
  useIsAdmin,
  useMe,
  useOpenTickets,
  useOrganizationId,
  useTeam,
  useTeamMembers,
  type Schemas,
  type Tagged,
} from "../../api";
import { SecondaryButton, SectionHeading, Dimmed } from "../../components/variants";
import { DeleteButton } from "../../components/DeleteButton";
import { Page } from "../../components/Page";
import { QueryBoundary } from "../../components/QueryBoundary";
import { UsageWarning, UsedBy } from "../../components/UsedBy";
import { Time } from "../../components/Time";
import { RenameTeamDialog } from "./RenameTeamDialog";
import { TeamMembers } from "./TeamMembers";

/** A team: its members, and links to its conversations and tickets. */
export default function TeamPage() {
  const teamId = Number(useParams().teamId);
  const team = useTeam(teamId);
  return <QueryBoundary query={team}>{(found) => <Team key={found.id} team={found} />}</QueryBoundary>;
}

function Team({ team }: { team: Tagged<Schemas["Team"]> }) {
  const orgId = useOrganizationId();
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
            <SecondaryButton onClick={() => setRenaming(true)}>Rename</SecondaryButton>
            <DeleteButton
              name={team.name}
              action="Delete team"
              consequence="Its members stay in the organization. API keys of the team stop working. This can’t be undone."
              remove={() => deleteTeam(orgId, team.id)}
              listPath={`${base}/teams`}
              listKey={organizationKey(orgId, "teams")}
            >
              <UsageWarning kind="team" id={team.id} />
            </DeleteButton>
          </>
        )
      }
    >
      <TeamLinks team={team} />
      <Stack gap="xs" component="section" aria-labelledby="team-members">
        <SectionHeading id="team-members">Members</SectionHeading>
        <TeamMembers team={team} />
      </Stack>
      <UsedBy
        kind="team"
        id={team.id}
        title="Agents that assign tickets to this team"
        none="No agent assigns tickets to it."
      />
      <RenameTeamDialog team={team} opened={renaming} onClose={() => setRenaming(false)} />
    </Page>
  );
}

/** Owners and admins see the tickets of every team, others those of their own teams. */
function TeamLinks({ team }: { team: Schemas["Team"] }) {
  const isAdmin = useIsAdmin();
  const { data: me } = useMe();
  const { data: members } = useTeamMembers(team.id);
  const open = useOpenTickets(team.id);
  const seesTickets = isAdmin || members?.some((each) => each.id === me?.id);
  return (
    <Group gap="sm">
      {seesTickets && (
        <SecondaryButton
          component={PageLink}
          to={`tickets?assignee=all&team=${team.id}`}
          leftSection={<IconInbox size={16} />}
        >
          {open === undefined ? "Open tickets" : `${open} open ${open === "1" ? "ticket" : "tickets"}`}
        </SecondaryButton>
      )}
      <SecondaryButton
        component={PageLink}
        to={`conversations?team=${team.id}`}
        leftSection={<IconMessages size={16} />}
      >
        Conversations
      </SecondaryButton>
      {members?.length === 0 && (
        <Dimmed>Add members, so that someone is notified of this team’s tickets.</Dimmed>
      )}
    </Group>
  );
}
