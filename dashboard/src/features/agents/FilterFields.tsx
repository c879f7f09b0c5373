import { Button, Group, Select, Stack } from "@mantine/core";
import { IconFolderPlus } from "@tabler/icons-react";
import { createContext, useCallback, useContext, useLayoutEffect, useRef } from "react";
import type { Schemas } from "../../api";
import { RemoveButton } from "../../components/IconButton";
import { ErrorXs, QuietAddButton, SmallHeading } from "../../components/variants";
import { inputsOf, type InputParameter, type RowFilter, type Task } from "../../graph/document";
import classes from "./editor.module.css";
import { useIssuesAt } from "../../values/validation";
import { ConditionRow } from "./ConditionRow";
import { filterOf, groupOf, isGroup, JOINS, type FormGroup, type FormPart, type Join } from "./rowFilter";

const JOIN_OPTIONS = Object.entries(JOINS).map(([value, label]) => ({ value, label }));

interface FilterContext {
  columns: Schemas["DataLakeColumn"][];
  /** The other inputs of the task, which conditions can compare with. */
  inputs: string[];
  /** Moves the focus to an element after the next render, for keyboard users. */
  focusAfterRender: (selector: string) => void;
}

const FilterContext = createContext<FilterContext>({
  columns: [],
  inputs: [],
  focusAfterRender: () => undefined,
});

interface Props {
  task: Task;
  input: InputParameter;
  columns: Schemas["DataLakeColumn"][];
  path: string;
  onChange: (change: { filter: RowFilter | undefined }) => void;
}

/** Edits the row filter: conditions and nested groups. */
export function FilterFields({ task, input, columns, path, onChange }: Props) {
  const group = groupOf(input.filter, `${path}/filter`);
  const focusTarget = useRef<string | null>(null);
  const container = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (focusTarget.current) {
      const found = container.current?.querySelector<HTMLElement>(focusTarget.current);
      found?.focus();
      if (found instanceof HTMLInputElement) {
        // Like the Tab key: typing replaces the value.
        found.select();
      }
      focusTarget.current = null;
    }
  });
  const focusAfterRender = useCallback((selector: string) => {
    focusTarget.current = selector;
  }, []);
  if (group === null) {
    return <ErrorXs>This filter is too complex for the form. Edit it in the JSON view.</ErrorXs>;
  }
  const inputs = inputsOf(task)
    .filter((each) => each.name !== input.name && each.type !== "ARRAY" && each.type !== "OBJECT")
    .map((each) => each.name);
  return (
    <FilterContext value={{ columns, inputs, focusAfterRender }}>
      <Stack gap={6} ref={container} role="group" aria-label={`Row filter of ${input.name || "the input"}`}>
        <SmallHeading>{group.parts.length > 0 ? "Only rows where" : "All rows"}</SmallHeading>
        <GroupFields
          group={group}
          number=""
          onChange={(changed) => onChange({ filter: filterOf(changed) })}
          onEmpty={() => onChange({ filter: undefined })}
        />
      </Stack>
    </FilterContext>
  );
}

interface GroupProps {
  group: FormGroup;
  /** Its position, such as 2 or 2.1; empty for the outermost group. */
  number: string;
  onChange: (group: FormGroup) => void;
  /** Called when the last part is removed. */
  onEmpty: () => void;
}

function GroupFields({ group, number, onChange, onEmpty }: GroupProps) {
  const { columns, focusAfterRender } = useContext(FilterContext);
  const inner = (index: number) => (number ? `${number}.${index + 1}` : `${index + 1}`);
  const add = (part: FormPart) => {
    const place = inner(group.parts.length);
    focusAfterRender(`[data-part="${isGroup(part) ? `${place}.1` : place}"] input`);
    onChange({ ...group, parts: [...group.parts, part] });
  };
  const remove = (index: number) => {
    if (number && group.parts.length === 1) {
      onEmpty();
      return;
    }
    focusAfterRender(`[data-add="${number}"]`);
    onChange({ ...group, parts: group.parts.toSpliced(index, 1) });
  };
  const condition: FormPart = { condition: { column: columns[0]?.name ?? "", op: "=", value: "" }, at: [] };
  const groupSuffix = number && ` to group ${number}`;
  return (
    <>
      {group.parts.length > 0 && (
        <Select
          size="xs"
          allowDeselect={false}
          aria-label={number ? `Match for group ${number}` : "Match"}
          data={JOIN_OPTIONS}
          value={group.join}
          onChange={(join) => join && onChange({ ...group, join: join as Join })}
        />
      )}
      <FilterIssues paths={group.at} />
      {group.parts.map((part, index) => (
        <Part
          // Parts have no IDs.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          part={part}
          number={inner(index)}
          onChange={(changed) => onChange({ ...group, parts: group.parts.with(index, changed) })}
          onRemove={() => remove(index)}
        />
      ))}
      <Group gap={4}>
        <QuietAddButton
          data-add={number}
          aria-label={`Add condition${groupSuffix}`}
          onClick={() => add(condition)}
        >
          Add condition
        </QuietAddButton>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconFolderPlus size={12} />}
          aria-label={`Add group${groupSuffix}`}
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
  const { columns, inputs } = useContext(FilterContext);
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
        <FilterIssues paths={part.at} />
      </>
    );
  }
  return (
    <Stack gap={6} className={classes.part} role="group" aria-label={`Group ${number}`}>
      <Group justify="space-between" wrap="nowrap">
        <SmallHeading>Group {number}</SmallHeading>
        <RemoveButton label={`Remove group ${number}`} onClick={onRemove} />
      </Group>
      <GroupFields group={part} number={number} onChange={onChange} onEmpty={onRemove} />
    </Stack>
  );
}

/** The validation issues of one part of the filter. */
function FilterIssues({ paths }: { paths: string[] }) {
  const at = useIssuesAt();
  const text = [...new Set(paths.map(at).filter(Boolean))].join(" ");
  return text ? <ErrorXs>{text}</ErrorXs> : null;
}
