import {
  Group,
  Kbd,
  Modal,
  NavLink,
  ScrollArea,
  Stack,
  Text,
  TextInput,
  VisuallyHidden,
} from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type Fuse from "fuse.js/basic";
import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { counted } from "./counted";
import { DimmedXs, Dimmed } from "./variants";
import { aroundMatch, highlightParts } from "./highlight";
import classes from "./searchDialog.module.css";
import { searchItems, similarItems, withoutVerb, type Searchable } from "./searchRanking";
import { useTypedAhead } from "./useTypedAhead";

export interface SearchItem extends Searchable {
  key: string;
  icon: Icon;
  /** A second line: the text in which a search found something. */
  detail?: string | undefined;
  /** It can’t be chosen; the description says why. */
  disabled?: boolean;
  /** The shortcut that does the same. */
  shortcut?: string;
  onChoose: () => void;
}

interface Props {
  title: string;
  /** The label of the search field. */
  label: string;
  opened: boolean;
  items: readonly SearchItem[];
  /** The text of a list without items. */
  empty?: string;
  /** Called when the text changes, for items that the server finds. */
  onSearch?: (text: string) => void;
  /** Whether items for the current text may still arrive. */
  searching?: boolean;
  /** The text that was typed before this dialog was loaded. */
  takeTyped?: () => string;
  onClose: () => void;
}

const MAX_SHOWN = 60;
const MAX_OF_GROUP = 7;

/**
 * A dialog to choose an item by typing a part of its label or description. Enter chooses the first match. The caller
 * moves the focus when the dialog closes.
 */
export function SearchDialog({ title, opened, takeTyped, onClose, ...list }: Props) {
  const takeOwn = useTypedAhead(opened && !takeTyped);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      centered={false}
      size={640}
      yOffset="12vh"
      returnFocus={false}
    >
      {opened && <SearchList {...list} takeTyped={takeTyped ?? takeOwn} onClose={onClose} />}
    </Modal>
  );
}

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });

function SearchList(props: Omit<Props, "title" | "opened"> & { takeTyped: () => string }) {
  const { label, items, empty, onSearch, searching = false, takeTyped, onClose } = props;
  const [text, setText] = useState("");
  // By key, since items that arrive later move the selected one. Without a key, the first one is selected.
  const [selectedKey, setSelectedKey] = useState<string>();
  // Enter before the first result has arrived.
  const awaited = useRef(false);
  const list = useId();
  const grouped = items.some((item) => item.group);
  // Without a text, the list is what the caller suggests.
  const matches = searchItems(items, text, grouped && text.trim() !== "" ? MAX_OF_GROUP : MAX_SHOWN);
  const [Library, setLibrary] = useState<typeof Fuse>();
  useEffect(() => {
    void import("fuse.js/basic").then(
      (loaded) => setLibrary(() => loaded.default),
      () => undefined, // Without it, a text with a typo finds nothing.
    );
  }, []);
  const results =
    matches.length === 0 && !searching && Library ? similarItems(Library, items, text) : matches;
  const selected = Math.max(
    0,
    results.findIndex(({ key }) => key === selectedKey),
  );
  const choose = (item: SearchItem) => {
    if (item.disabled) {
      return;
    }
    onClose();
    item.onChoose();
  };
  const first = results[0];
  const chooseAwaited = useEffectEvent(() => {
    if (awaited.current && !searching) {
      awaited.current = false;
      if (first) {
        choose(first);
      }
    }
  });
  useEffect(() => chooseAwaited(), [searching, first?.key]);
  const onKeyDown = (event: KeyboardEvent) => {
    const item = results[selected];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setSelectedKey(results[(selected + step + results.length) % Math.max(1, results.length)]?.key);
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      if (item) {
        choose(item);
      } else {
        awaited.current = searching;
      }
    }
  };
  const search = (next: string) => {
    setText(next);
    setSelectedKey(undefined);
    awaited.current = false;
    onSearch?.(next);
  };
  return (
    <Stack gap="xs">
      <TextInput
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => search(event.currentTarget.value)}
        onFocus={() => {
          const typed = takeTyped();
          if (typed !== "") {
            search(text + typed);
          }
        }}
        onKeyDown={onKeyDown}
        data-autofocus
        autoComplete="off"
        role="combobox"
        aria-expanded={results.length > 0}
        aria-controls={list}
        aria-activedescendant={results[selected] && `${list}-${selected}`}
      />
      <ScrollArea.Autosize
        mah={380}
        id={list}
        role="listbox"
        aria-label="Results"
        // Otherwise, the longest description makes all rows wider than the dialog.
        styles={{ content: { minWidth: 0 } }}
      >
        {results.map((item, index) => (
          <GroupHeading key={item.key} group={item.group} before={results[index - 1]?.group}>
            <NavLink
              id={`${list}-${index}`}
              ref={index === selected ? scrollIntoView : undefined}
              component="button"
              role="option"
              tabIndex={-1}
              aria-selected={index === selected}
              aria-disabled={item.disabled}
              c={item.disabled ? "dimmed" : undefined}
              style={item.disabled ? { cursor: "default" } : undefined}
              label={<ItemText item={item} searched={withoutVerb(text)} />}
              active={index === selected && !item.disabled}
              leftSection={<item.icon size={18} aria-hidden />}
              onClick={() => choose(item)}
            />
          </GroupHeading>
        ))}
      </ScrollArea.Autosize>
      <KeyHints />
      <Summary text={text} empty={empty} count={results.length} searching={searching} />
    </Stack>
  );
}

function ItemText({ item, searched }: { item: SearchItem; searched: string }) {
  return (
    <>
      <div className={classes.row}>
        <Text size="sm" truncate className={classes.label}>
          <Highlighted text={item.label} searched={searched} />
        </Text>
        {item.description && (
          <Text size="xs" truncate className={classes.description} title={item.description}>
            <Highlighted text={item.description} searched={searched} />
          </Text>
        )}
        {item.shortcut && <Kbd size="xs">{item.shortcut}</Kbd>}
      </div>
      {item.detail && (
        <Text size="xs" truncate className={classes.description} title={item.detail}>
          <Highlighted text={aroundMatch(item.detail, searched)} searched={searched} />
        </Text>
      )}
    </>
  );
}

function Highlighted({ text, searched }: { text: string; searched: string }) {
  return highlightParts(text, searched).map(([part, matches], index) =>
    matches ? (
      // Parts have no IDs.
      // oxlint-disable-next-line react/no-array-index-key
      <mark key={index} className={classes.match}>
        {part}
      </mark>
    ) : (
      part
    ),
  );
}

/** The keys of the dialog, where there is a keyboard. */
function KeyHints() {
  return (
    <Group gap="md" className={classes.keys} aria-hidden>
      <span>
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> to move
      </span>
      <span>
        <Kbd size="xs">Enter</Kbd> to choose
      </span>
      <span>
        <Kbd size="xs">Esc</Kbd> to close
      </span>
    </Group>
  );
}

interface HeadingProps {
  group: string | undefined;
  before: string | undefined;
  children: ReactNode;
}

/** The group's name above its first item. The description of each item names it for screen readers. */
function GroupHeading({ group, before, children }: HeadingProps) {
  return (
    <>
      {group && group !== before && (
        <DimmedXs fw={600} px="sm" pt={8} pb={2} role="presentation">
          {group}
        </DimmedXs>
      )}
      {children}
    </>
  );
}

interface SummaryProps {
  text: string;
  empty: string | undefined;
  count: number;
  searching: boolean;
}

/** The number of results for screen readers; for everyone if there are none. */
function Summary({ text, empty = "Nothing to choose yet.", count, searching }: SummaryProps) {
  const none = searching ? "Searching…" : text.trim() === "" ? empty : `No results for “${text}”.`;
  return (
    <div role="status">
      {count === 0 ? <Dimmed>{none}</Dimmed> : <VisuallyHidden>{counted(count, "result")}</VisuallyHidden>}
    </div>
  );
}
