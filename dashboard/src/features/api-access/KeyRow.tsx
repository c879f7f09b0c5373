import { Anchor, Button, Code, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import type { Schemas } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { useTeams, useWorkflows } from "../../api/queries";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";

interface Props {
  of: Schemas["ApiKey"];
  onRevoke?: () => void;
}

export function KeyRow({ of: key, onRevoke }: Props) {
  const [now] = useState(Date.now);
  const isExpired = key.expires_at !== null && Date.parse(key.expires_at) < now;
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={600} size="sm">
          {key.name}
        </Text>
        {key.revoked_at && <StatusLabel status="revoked" />}
        {!key.revoked_at && isExpired && <StatusLabel status="expired" />}
      </Table.Td>
      <Table.Td>
        <Code>
          {key.prefix}…{key.last_four}
        </Code>
      </Table.Td>
      <Table.Td data-label="Restricted to">
        <Restrictions of={key} />
      </Table.Td>
      <Table.Td data-label="Expires">
        <Time at={key.expires_at} none="Never" />
      </Table.Td>
      <Table.Td data-label="Last used">
        <Time at={key.last_used_at} none="Never" relative />
      </Table.Td>
      <Table.Td data-label="Created">
        <Time at={key.created_at} />
      </Table.Td>
      <Table.Td>
        {onRevoke && !key.revoked_at && (
          <Button size="xs" variant="default" onClick={onRevoke} aria-label={`Revoke ${key.name}`}>
            Revoke
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function Restrictions({ of: key }: { of: Schemas["ApiKey"] }) {
  const orgId = useOrganizationId();
  const { data: teams } = useTeams(orgId);
  const { data: workflows } = useWorkflows(orgId);
  if (key.team_id === null && key.workflow_id === null) {
    return <>No restrictions</>;
  }
  return (
    <Stack gap={2}>
      {key.team_id !== null && (
        <Text size="sm">Team {teams?.find((each) => each.id === key.team_id)?.name ?? key.team_id}</Text>
      )}
      {key.workflow_id !== null && (
        <Anchor component={Link} size="sm" to={`/organizations/${orgId}/agents/${key.workflow_id}`}>
          {workflows?.find((each) => each.id === key.workflow_id)?.name ?? "An agent"}
        </Anchor>
      )}
    </Stack>
  );
}
