import { Group, Kbd, Modal, Stack, Table } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { Strong, DimmedXs } from "./variants";
import { isTyping, useShortcutGroups, useShortcutHelp, type ShortcutGroup } from "./shortcuts";

const EVERYWHERE: ShortcutGroup = {
  title: "Everywhere",
  shortcuts: [
    ["Ctrl+K", "Search or run a command"],
    ["G then O", "Go to the overview"],
    ["G then T", "Go to tickets"],
    ["G then C", "Go to conversations"],
    ["G then A", "Go to agents"],
    ["G then R", "Go to runs"],
    ["?", "Show keyboard shortcuts"],
  ],
};

interface Props {
  opened: boolean;
  onOpen: () => void;
  onClose: () => void;
}

/** The dialog that "?" opens: the shortcuts of the current page. Pages add theirs with `useShortcutHelp`. */
export function ShortcutOverview({ opened, onOpen, onClose }: Props) {
  useShortcutHelp(EVERYWHERE);
  const groups = useShortcutGroups();
  useWindowEvent("keydown", (event) => {
    if (event.key === "?" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)) {
      event.preventDefault();
      onOpen();
    }
  });
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size="lg">
      <Stack>
        {groups
          .toSorted((one, other) => Number(one === EVERYWHERE) - Number(other === EVERYWHERE))
          .map((group) => (
            <div key={group.title}>
              <Strong mb={4} id={`shortcuts-${group.title}`}>
                {group.title}
              </Strong>
              <Table aria-labelledby={`shortcuts-${group.title}`} verticalSpacing={6} data-grid>
                <Table.Tbody>
                  {group.shortcuts.map(([keys, description]) => (
                    <Table.Tr key={keys}>
                      <Table.Td w="55%">{description}</Table.Td>
                      <Table.Td>
                        <Keys keys={keys} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </div>
          ))}
      </Stack>
    </Modal>
  );
}

/** On a Mac, Ctrl is the command key. */
const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

function Keys({ keys }: { keys: string }) {
  return (
    <Group gap={6}>
      {keys.split(" / ").map((alternative, index) => (
        <Group gap={3} key={alternative} wrap="nowrap">
          {index > 0 && <DimmedXs>or</DimmedXs>}
          {alternative
            .split(/\+| (?=then )|(?<=then) /)
            .map((key) =>
              key === "then" ? (
                <DimmedXs key={key}>then</DimmedXs>
              ) : (
                <Kbd key={key}>{IS_MAC && key === "Ctrl" ? "⌘" : key}</Kbd>
              ),
            )}
        </Group>
      ))}
    </Group>
  );
}
