import { Box, Group, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { CodeText } from "./CodeBlock";
import { CopyButton } from "./CopyButton";
import classes from "./jsonTree.module.css";
import { optionsOf } from "./optionsOf";
import { truncate } from "./truncate";

/** The most members shown of an object or array. */
const MAX_MEMBERS = 200;
/** Longer texts are folded. */
const MAX_TEXT = 200;
/** Levels that are open at first. */
const OPEN_LEVELS = 2;

/** JSON as a tree whose branches can be folded, or as text. */
export function JsonTree({ value, label }: { value: unknown; label: string }) {
  const [view, setView] = useState("tree");
  const text = JSON.stringify(value, null, 2) ?? "null";
  return (
    <Box>
      <Group justify="space-between" mb={4}>
        <SegmentedControl
          size="xs"
          aria-label={`View of ${label}`}
          data={optionsOf({ tree: "Tree", text: "JSON" })}
          value={view}
          onChange={setView}
        />
        <CopyButton small text={text} label={`Copy ${label}`} />
      </Group>
      {view === "tree" ? (
        <div className={classes.tree} tabIndex={0} role="region" aria-label={label}>
          <Branch value={value} level={0} />
        </div>
      ) : (
        <CodeText label={label}>{text}</CodeText>
      )}
    </Box>
  );
}

function Branch({ name, value, level }: { name?: string; value: unknown; level: number }) {
  const isArray = Array.isArray(value);
  if (typeof value === "string" && value.length > MAX_TEXT) {
    return (
      <details>
        <summary>
          <Name of={name} />
          <span data-type="string">{truncate(value, MAX_TEXT)}…</span>{" "}
          <span data-type="count">{value.length.toLocaleString()} characters</span>
        </summary>
        <div className={classes.leaf} data-type="string">
          {value}
        </div>
      </details>
    );
  }
  if (value === null || typeof value !== "object") {
    return (
      <div className={classes.leaf}>
        <Name of={name} />
        <span data-type={value === null ? "null" : typeof value}>{leafText(value)}</span>
      </div>
    );
  }
  const members = Object.entries(value);
  const count = `${members.length} ${isArray ? "item" : "member"}${members.length === 1 ? "" : "s"}`;
  if (members.length === 0) {
    return (
      <div className={classes.leaf}>
        <Name of={name} />
        <span data-type="null">{isArray ? "[ ]" : "{ }"}</span>
      </div>
    );
  }
  return (
    <details open={level < OPEN_LEVELS}>
      <summary>
        <Name of={name} />
        <span data-type="count">{count}</span>
      </summary>
      <div className={classes.members}>
        {members.slice(0, MAX_MEMBERS).map(([member, each]) => (
          <Branch key={member} name={member} value={each} level={level + 1} />
        ))}
        {members.length > MAX_MEMBERS && <div>… {members.length - MAX_MEMBERS} more in the JSON view</div>}
      </div>
    </details>
  );
}

const Name = ({ of: name }: { of?: string }) =>
  name === undefined ? null : <span className={classes.name}>{name}: </span>;

const leafText = (value: unknown) => (typeof value === "string" ? value || '""' : String(value));
