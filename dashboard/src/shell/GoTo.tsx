import { Modal, NavLink, ScrollArea, Stack, Text, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconArrowRight, IconRobot } from "@tabler/icons-react";
import { useId, useState, type KeyboardEvent } from "react";
import { useNavigate } from "react-router";
import { useMe, useWorkflows } from "../api/queries";
import { useMenu } from "./menu";

interface Props {
  orgId: string;
  opened: boolean;
  onOpen: () => void;
  onClose: () => void;
}

/** Ctrl+K: type a few letters of a page, an agent or an organization, and Enter goes there. */
export function GoTo({ orgId, opened, onOpen, onClose }: Props) {
  useHotkeys([["mod+K", onOpen]], [], true);
  return (
    <Modal opened={opened} onClose={onClose} title="Go to" centered={false} yOffset="12vh">
      {opened && <Choices orgId={orgId} onClose={onClose} />}
    </Modal>
  );
}

const intoView = (place: HTMLElement | null) => place?.scrollIntoView({ block: "nearest" });

function Choices({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const navigate = useNavigate();
  const menu = useMenu();
  const { data: me } = useMe();
  const { data: workflows } = useWorkflows(orgId);
  const base = `/organizations/${orgId}`;
  const places = [
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
  const found = places
    .filter((each) => each.label.toLowerCase().includes(text.trim().toLowerCase()))
    .slice(0, 12);
  const go = (to: string) => {
    onClose();
    void navigate(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const place = found[chosen];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setChosen((now) => (now + step + found.length) % Math.max(1, found.length));
    } else if (event.key === "Enter" && place) {
      go(place.to);
    }
  };
  return (
    <Stack gap="xs">
      <TextInput
        aria-label="Go to a page, an agent or an organization"
        placeholder="Go to a page, an agent or an organization"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        data-autofocus
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={list}
        aria-activedescendant={found[chosen] && `${list}-${chosen}`}
      />
      <ScrollArea.Autosize mah={380} id={list} role="listbox" aria-label="Places">
        {found.map((place, index) => (
          <NavLink
            key={place.to}
            id={`${list}-${index}`}
            ref={index === chosen ? intoView : undefined}
            component="button"
            role="option"
            aria-selected={index === chosen}
            label={place.label}
            description={place.kind}
            active={index === chosen}
            leftSection={<place.icon size={18} />}
            onClick={() => go(place.to)}
          />
        ))}
      </ScrollArea.Autosize>
      {found.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing has “{text}” in its name.
        </Text>
      )}
    </Stack>
  );
}
