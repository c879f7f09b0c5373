import { Modal, NavLink, ScrollArea, Stack, Text, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconArrowRight, IconRobot } from "@tabler/icons-react";
import { useId, useState, type KeyboardEvent } from "react";
import { useNavigate } from "react-router";
import { useMe, useWorkflows } from "../api/queries";
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
  return (
    <Modal opened={opened} onClose={onClose} title="Go to" centered={false} yOffset="12vh">
      {opened && <DestinationSearch orgId={orgId} onClose={onClose} />}
    </Modal>
  );
}

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });

function DestinationSearch({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const [text, setText] = useState("");
  const [selected, setSelected] = useState(0);
  const list = useId();
  const navigate = useNavigate();
  const menu = useMenuSections();
  const { data: me } = useMe();
  const { data: workflows } = useWorkflows(orgId);
  const base = `/organizations/${orgId}`;
  const destinations = [
    ...menu.flatMap((section) =>
      section.items.map((item) => ({
        to: `${base}/${item.path}`,
        label: item.label,
        kind: section.label,
        icon: item.icon,
      })),
    ),
    ...(workflows ?? []).map((each) => ({
      to: `${base}/agents/${each.id}`,
      label: each.name,
      kind: "Agent",
      icon: IconRobot,
    })),
    ...(me?.organizations ?? [])
      .filter((each) => each.id !== orgId)
      .map((each) => ({
        to: `/organizations/${each.id}`,
        label: each.name,
        kind: "Organization",
        icon: IconArrowRight,
      })),
  ];
  const results = destinations
    .filter((each) => each.label.toLowerCase().includes(text.trim().toLowerCase()))
    .slice(0, 12);
  const go = (to: string) => {
    onClose();
    void navigate(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const destination = results[selected];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setSelected((now) => (now + step + results.length) % Math.max(1, results.length));
    } else if (event.key === "Enter" && destination) {
      go(destination.to);
    }
  };
  return (
    <Stack gap="xs">
      <TextInput
        aria-label="Search pages, agents and organizations"
        placeholder="Search pages, agents and organizations"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
        data-autofocus
        role="combobox"
        aria-expanded={results.length > 0}
        aria-controls={list}
        aria-activedescendant={results[selected] && `${list}-${selected}`}
      />
      <ScrollArea.Autosize mah={380} id={list} role="listbox" aria-label="Results">
        {results.map((destination, index) => (
          <NavLink
            key={destination.to}
            id={`${list}-${index}`}
            ref={index === selected ? scrollIntoView : undefined}
            component="button"
            role="option"
            aria-selected={index === selected}
            label={destination.label}
            description={destination.kind}
            active={index === selected}
            leftSection={<destination.icon size={18} />}
            onClick={() => go(destination.to)}
          />
        ))}
      </ScrollArea.Autosize>
      {results.length === 0 && (
        <Text size="sm" c="dimmed">
          No results for “{text}”.
        </Text>
      )}
    </Stack>
  );
}
