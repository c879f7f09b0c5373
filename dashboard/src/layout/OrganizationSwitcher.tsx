import { Menu } from "@mantine/core";
import { IconCheck, IconSelector } from "@tabler/icons-react";
import { Link } from "react-router";
import { useMe, useOrganization } from "../api";
import { Strong, QuietButton } from "../components/variants";

export function OrganizationSwitcher({ orgId }: { orgId: string }) {
  const { data: me } = useMe();
  const { data: current } = useOrganization();
  const mine = me?.organizations ?? [];
  const name = current?.name ?? mine.find((each) => each.id === orgId)?.name ?? "Organization";
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <QuietButton rightSection={<IconSelector size={16} />} aria-label={`Organization: ${name}`} miw={0}>
          <Strong truncate maw={{ base: 140, sm: 260 }}>
            {name}
          </Strong>
        </QuietButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Organizations</Menu.Label>
        {mine.map((each) => (
          <Menu.Item
            key={each.id}
            component={Link}
            to={`/organizations/${each.id}`}
            rightSection={each.id === orgId ? <IconCheck size={16} aria-label="current" /> : undefined}
          >
            {each.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to="/organizations">
          All organizations
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
