import { ActionIcon, Button, Group, Select, Stack, Text } from "@mantine/core";
import { IconFolderPlus, IconPlus, IconTrash } from "@tabler/icons-react";
import { createContext, useCallback, useContext, useLayoutEffect, useRef } from "react";
import type { Schemas } from "../../api/client";
import { inputsOf, type InputParameter, type RowFilter, type Task } from "../../graph/document";
import classes from "./editor.module.css";
import { useFaultAt } from "./faults";
import { ConditionRow } from "./ConditionRow";
import { filterOf, groupOf, isGroup, JOINS, type FormGroup, type FormPart, type Join } from "./rowFilter";

const CHOICES = Object.entries(JOINS).map(([value, label]) => ({ value, label }));

interface Surroundings {
  columns: Schemas["DataLakeColumn"][];
  /** The other inputs of the task that a condition may compare with. */
  inputs: string[];
  /** What the keyboard goes to when the change is drawn: who adds or removes by keys goes on from there. */
  goTo: (selector: string) => void;
}

const Surroundings = createContext<Surroundings>({ columns: [], inputs: [], goTo: () => undefined });

interface Props {
  task: Task;
  input: InputParameter;
  columns: Schemas["DataLakeColumn"][];
  path: string;
  onChange: (change: { filter: RowFilter | undefined }) => void;
}

/** Which rows: conditions and groups of them, as deep as the definition allows. */
export function FilterFields({ task, input, columns, path, onChange }: Props) {
  const group = groupOf(input.filter, `${path}/filter`);
  const next = useRef<string | null>(null);
  const here = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (next.current) {
      const found = here.current?.querySelector<HTMLElement>(next.current);
      found?.focus();
      if (found instanceof HTMLInputElement) {
        // As the tab key does: what is typed replaces it.
        found.select();
      }
      next.current = null;
    }
  });
  const goTo = useCallback((selector: string) => {
    next.current = selector;
  }, []);
  if (group === null) {
    return (
      <Text size="xs" c="var(--mantine-color-error)">
        The filter of the rows is none that the form can show; mend it in the JSON view.
      </Text>
    );
  }
  const inputs = inputsOf(task)
    .filter((each) => each.name !== input.name && each.type !== "ARRAY" && each.type !== "OBJECT")
    .map((each) => each.name);
  return (
    <Surroundings value={{ columns, inputs, goTo }}>
      <Stack gap={6} ref={here} role="group" aria-label={`Rows that ${input.name || "the input"} takes`}>
        <Text size="xs" fw={500}>
          {group.parts.length > 0 ? "Only rows where" : "All rows"}
        </Text>
        <GroupFields
          group={group}
          number=""
          onChange={(changed) => onChange({ filter: filterOf(changed) })}
          onEmpty={() => onChange({ filter: undefined })}
        />
      </Stack>
    </Surroundings>
  );
}

interface GroupProps {
  group: FormGroup;
  /** Its place, such as 2 or 2.1; empty for the outermost. */
  number: string;
  onChange: (group: FormGroup) => void;
  /** Its last part was taken out. */
  onEmpty: () => void;
}

function GroupFields({ group, number, onChange, onEmpty }: GroupProps) {
  const { columns, goTo } = useContext(Surroundings);
  const inner = (index: number) => (number ? `${number}.${index + 1}` : `${index + 1}`);
  const add = (part: FormPart) => {
    const place = inner(group.parts.length);
    goTo(`[data-part="${isGroup(part) ? `${place}.1` : place}"] input`);
    onChange({ ...group, parts: [...group.parts, part] });
  };
  const remove = (index: number) => {
    if (number && group.parts.length === 1) {
      onEmpty();
      return;
    }
    goTo(`[data-add="${number}"]`);
    onChange({ ...group, parts: group.parts.toSpliced(index, 1) });
  };
  const condition: FormPart = { condition: { column: columns[0]?.name ?? "", op: "=", value: "" }, at: [] };
  const within = number && ` to group ${number}`;
  return (
    <>
      {group.parts.length > 0 && (
        <Select
          size="xs"
          allowDeselect={false}
          aria-label={number ? `How many conditions of group ${number} hold` : "How many conditions hold"}
          data={CHOICES}
          value={group.join}
          onChange={(join) => join && onChange({ ...group, join: join as Join })}
        />
      )}
      <Faulty at={group.at} />
      {group.parts.map((part, index) => (
        <Part
          // Parts have no ids; their place is all there is.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          part={part}
          number={inner(index)}
          onChange={(changed) => onChange({ ...group, parts: group.parts.with(index, changed) })}
          onRemove={() => remove(index)}
        />
      ))}
      <Group gap={4}>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconPlus size={12} />}
          data-add={number}
          aria-label={`Add condition${within}`}
          onClick={() => add(condition)}
        >
          Add condition
        </Button>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconFolderPlus size={12} />}
          aria-label={`Add group${within}`}
          onClick={() => add({ join: group.join === "any" ? "all" : "any", parts: [condition], at: [] })}
        >
          Add group
        </Button>
      </Group>
    </>
  );
}

interface PartProps {
  part: FormPart;
  number: string;
  onChange: (part: FormPart) => void;
  onRemove: () => void;
}

function Part({ part, number, onChange, onRemove }: PartProps) {
  const { columns, inputs } = useContext(Surroundings);
  if (!isGroup(part)) {
    return (
      <>
        <ConditionRow
          number={number}
          condition={part.condition}
          columns={columns}
          inputs={inputs}
          onChange={(condition) => onChange({ ...part, condition })}
          onRemove={onRemove}
        />
        <Faulty at={part.at} />
      </>
    );
  }
  return (
    <Stack gap={6} className={classes.part} role="group" aria-label={`Group ${number}`}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="xs" fw={500}>
          Group {number}
        </Text>
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove group ${number}`} onClick={onRemove}>
          <IconTrash size={14} />
        </ActionIcon>
      </Group>
      <GroupFields group={part} number={number} onChange={onChange} onEmpty={onRemove} />
    </Stack>
  );
}

/** What the service finds wrong with one part of the filter. */
function Faulty({ at }: { at: string[] }) {
  const fault = useFaultAt();
  const text = [...new Set(at.map(fault).filter(Boolean))].join(" ");
  return text ? (
    <Text size="xs" c="var(--mantine-color-error)">
      {text}
    </Text>
  ) : null;
}
