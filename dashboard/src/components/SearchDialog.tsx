import { Modal, NavLink, ScrollArea, Stack, Text, TextInput } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import { useId, useState, type KeyboardEvent } from "react";

export interface SearchItem {
  key: string;
  label: string;
  description?: string;
  icon: Icon;
  onChoose: () => void;
}

interface Props {
  title: string;
  /** The label of the search field. */
  label: string;
  opened: boolean;
  items: readonly SearchItem[];
  /** Whether closing returns the focus; otherwise the caller moves it to what was chosen. */
  returnFocus?: boolean;
  onClose: () => void;
}

const MAX_SHOWN = 60;

/** A dialog to choose an item by typing a part of its label or description. Enter chooses the first match. */
export function SearchDialog({ title, opened, returnFocus = false, onClose, ...list }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      centered={false}
      yOffset="12vh"
      returnFocus={returnFocus}
    >
      {opened && <SearchList {...list} onClose={onClose} />}
    </Modal>
  );
}

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });

function SearchList({ label, items, onClose }: Omit<Props, "title" | "opened" | "returnFocus">) {
  const [text, setText] = useState("");
  const [selected, setSelected] = useState(0);
  const list = useId();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const results = items
    .filter((item) => {
      const searched = `${item.label} ${item.description ?? ""}`.toLowerCase();
      return words.every((word) => searched.includes(word));
    })
    .slice(0, MAX_SHOWN);
  const choose = (item: SearchItem) => {
    onClose();
    item.onChoose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const item = results[selected];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setSelected((now) => (now + step + results.length) % Math.max(1, results.length));
    } else if (event.key === "Enter" && item) {
      event.preventDefault();
      choose(item);
    }
  };
  return (
    <Stack gap="xs">
      <TextInput
        aria-label={label}
        placeholder={label}
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
        {results.map((item, index) => (
          <NavLink
            key={item.key}
            id={`${list}-${index}`}
            ref={index === selected ? scrollIntoView : undefined}
            component="button"
            role="option"
            aria-selected={index === selected}
            label={item.label}
            description={item.description}
            active={index === selected}
            leftSection={<item.icon size={18} aria-hidden />}
            onClick={() => choose(item)}
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
