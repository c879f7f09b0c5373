import { Button, Group, Menu, Popover, Stack, TextInput } from "@mantine/core";
import { readLocalStorageValue, useDisclosure } from "@mantine/hooks";
import { IconBookmark, IconBookmarkPlus, IconTrash } from "@tabler/icons-react";
import { useState, type FormEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { useMe, useOrganizationId } from "../api";
import { IconButton } from "./IconButton";
import { SecondaryButton } from "./variants";
import { notifyWithUndo } from "./undoNotification";
import { useStored } from "./useStored";
import { viewSearch } from "./viewSearch";

interface SavedView {
  name: string;
  search: string;
}

const MAX_VIEWS = 20;

interface Props {
  list: "run" | "conversation";
  /** The filters of the list, by their names in the URL. */
  filters: readonly string[];
}

/** Named sets of filters of this person, kept in this browser. */
export function SavedViews({ list, filters }: Props) {
  const orgId = useOrganizationId();
  const { data: me } = useMe();
  const key = `${list}-views.${me?.id}.${orgId}`;
  const [views, setViews] = useStored<SavedView[]>(key, []);
  const navigate = useNavigate();
  const search = viewSearch(useLocation().search, filters);
  const current = views.find((each) => each.search === search);
  const save = (name: string) =>
    setViews([...views.filter((each) => each.name !== name), { name, search }].slice(-MAX_VIEWS));
  const remove = (view: SavedView) => {
    const index = views.indexOf(view);
    setViews(views.filter((each) => each !== view));
    notifyWithUndo(`View “${view.name}” deleted.`, () => {
      // The person may have left the list meanwhile.
      const now = readLocalStorageValue<SavedView[]>({ key: `parley.${key}`, defaultValue: [] });
      if (!now.some((each) => each.name === view.name)) {
        setViews(now.toSpliced(index, 0, view).slice(-MAX_VIEWS));
      }
    });
  };
  const canSave = search !== "" && !current;
  if (views.length === 0 && !canSave) {
    // An empty group would indent the button beside it.
    return null;
  }
  return (
    <Group gap={6}>
      {views.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <SecondaryButton leftSection={<IconBookmark size={16} />}>
              {current?.name ?? "Views"}
            </SecondaryButton>
          </Menu.Target>
          <Menu.Dropdown>
            {views.map((view) => (
              <Group key={view.name} gap={4} wrap="nowrap">
                <Menu.Item onClick={() => void navigate({ search: view.search }, { replace: true })}>
                  {view.name}
                </Menu.Item>
                <IconButton
                  icon={IconTrash}
                  label={`Delete view ${view.name}`}
                  onClick={() => remove(view)}
                />
              </Group>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {canSave && <SaveViewButton onSave={save} />}
    </Group>
  );
}

function SaveViewButton({ onSave }: { onSave: (name: string) => void }) {
  const [opened, form] = useDisclosure(false);
  const [name, setName] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) {
      onSave(name.trim());
      setName("");
      form.close();
    }
  };
  return (
    <Popover opened={opened} onChange={form.toggle} trapFocus returnFocus position="bottom-end">
      <Popover.Target>
        <SecondaryButton leftSection={<IconBookmarkPlus size={16} />} onClick={form.toggle}>
          Save view
        </SecondaryButton>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <Stack gap="xs">
            <TextInput
              label="Name of the view"
              maxLength={40}
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" size="xs" disabled={!name.trim()}>
              Save
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
