import { useHotkeys } from "@mantine/hooks";
import { IconArrowRight, IconRobot, type Icon } from "@tabler/icons-react";
import { useNavigate } from "react-router";
import { useMe, useWorkflows } from "../api/queries";
import { SearchDialog } from "../components/SearchDialog";
import { useMenuSections } from "./menuItems";

interface Props {
  orgId: string;
  opened: boolean;
  onOpen: () => void;
  onClose: () => void;
}

/** Ctrl+K: quick navigation to pages, agents and organizations. */
export function GoToDialog({ orgId, opened, onOpen, onClose }: Props) {
  useHotkeys([["mod+K", onOpen]], [], true);
  const navigate = useNavigate();
  const menu = useMenuSections();
  const { data: me } = useMe();
  const { data: workflows } = useWorkflows(orgId);
  const base = `/organizations/${orgId}`;
  const destination = (to: string, label: string, description: string, icon: Icon) => ({
    key: to,
    label,
    description,
    icon,
    onChoose: () => void navigate(to),
  });
  return (
    <SearchDialog
      title="Go to"
      label="Search pages, agents and organizations"
      opened={opened}
      onClose={onClose}
      returnFocus
      items={[
        ...menu.flatMap((section) =>
          section.items.map((item) =>
            destination(`${base}/${item.path}`, item.label, section.label, item.icon),
          ),
        ),
        ...(workflows ?? []).map((each) =>
          destination(`${base}/agents/${each.id}`, each.name, "Agent", IconRobot),
        ),
        ...(me?.organizations ?? [])
          .filter((each) => each.id !== orgId)
          .map((each) => destination(`/organizations/${each.id}`, each.name, "Organization", IconArrowRight)),
      ]}
    />
  );
}
