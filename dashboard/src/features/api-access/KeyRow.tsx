import { Box, Code, Table } from "@mantine/core";
import { IconBan, IconPencil, IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { TextLink } from "../../components/PageLink";
import { useTeams, useWorkflowNames, type Schemas } from "../../api";
import { MenuItem, MoreMenu } from "../../components/MoreMenu";
import { useActorName } from "../../components/actorNames";
import { Strong, DimmedXs } from "../../components/variants";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import type { MeasuredRow } from "../../components/VirtualRows";

/** Expirations within this time are shown as "in 23 hr". */
const SOON_MS = 7 * 86_400_000;

interface Props extends MeasuredRow {
  of: Schemas["ApiKey"];
  onRename: () => void;
  onRoll: () => void;
  onRevoke: () => void;
}

export function KeyRow({ ref, "data-index": index, of: key, ...actions }: Props) {
  const nameOf = useActorName();
  const [now] = useState(Date.now);
  const left = key.expires_at === null ? Infinity : Date.parse(key.expires_at) - now;
  const isActive = key.revoked_at === null && left > 0;
  return (
    <Table.Tr ref={ref} data-index={index}>
      <Table.Td>
        <Strong style={{ overflowWrap: "anywhere" }}>{key.name}</Strong>
        {key.revoked_at !== null ? (
          <StatusLabel status="revoked" />
        ) : left <= 0 ? (
          <StatusLabel status="expired" />
        ) : (
          key.replaced_by !== null && <StatusLabel status="replaced" />
        )}
      </Table.Td>
      <Table.Td>
        <Code style={{ whiteSpace: "nowrap" }}>
          {key.prefix}…{key.last_four}
        </Code>
      </Table.Td>
      <Table.Td data-label="Restricted to">
        <Restrictions of={key} />
      </Table.Td>
      <Table.Td data-label="Expires">
        {key.revoked_at === null ? (
          <Time at={key.expires_at} none="Never" relative={left > 0 && left < SOON_MS} whole />
        ) : (
          <>
            Revoked <Time at={key.revoked_at} whole />
          </>
        )}
      </Table.Td>
      <Table.Td data-label="Last used">
        <Time at={key.last_used_at} none="Never" relative />
      </Table.Td>
      <Table.Td data-label="Created">
        <Time at={key.created_at} whole />
        <Box component="br" visibleFrom="xs" />{" "}
        <DimmedXs component="span">by {nameOf(key.created_by)}</DimmedXs>
      </Table.Td>
      <Table.Td data-menu>{isActive && <KeyMenu of={key} {...actions} />}</Table.Td>
    </Table.Tr>
  );
}

function KeyMenu({ of: key, onRename, onRoll, onRevoke }: Props) {
  return (
    <MoreMenu inRow label={`Actions for ${key.name}`}>
      <MenuItem icon={IconPencil} label="Rename…" onClick={onRename} />
      {key.replaced_by === null && <MenuItem icon={IconRefresh} label="Roll key…" onClick={onRoll} />}
      <MenuItem icon={IconBan} label="Revoke…" danger onClick={onRevoke} />
    </MoreMenu>
  );
}

function Restrictions({ of: key }: { of: Schemas["ApiKey"] }) {
  const { data: teams } = useTeams();
  const { data: agents } = useWorkflowNames();
  if (key.team_id === null && key.workflow_id === null) {
    return <>No restrictions</>;
  }
  return (
    <>
      {key.team_id !== null && (
        <span>Team {teams?.find((each) => each.id === key.team_id)?.name ?? key.team_id}</span>
      )}
      {key.team_id !== null && key.workflow_id !== null && (
        <>
          {" "}
          <Box component="br" visibleFrom="xs" />
        </>
      )}
      {key.workflow_id !== null && (
        <TextLink to={`agents/${key.workflow_id}`}>{agents?.get(key.workflow_id) ?? "An agent"}</TextLink>
      )}
    </>
  );
}
