import { Popover, UnstyledButton } from "@mantine/core";
import { createContext, useContext } from "react";
import { ValueView } from "../components/ValueList";
import classes from "./graph.module.css";

/** The outputs of the latest test run by task, for the nodes of the graph. */
export const LastValuesContext = createContext<ReadonlyMap<string, Record<string, unknown>>>(new Map());

const MAX_PREVIEW_LENGTH = 24;

/** A short preview of an output's last value; a click shows all of it. */
export function LastValue({ task, output }: { task: string; output: string }) {
  const value = useContext(LastValuesContext).get(task)?.[output];
  if (value === undefined || value === null) {
    return null;
  }
  const text = (typeof value === "string" ? value : JSON.stringify(value)).replaceAll(/\s+/g, " ");
  const preview = text.length > MAX_PREVIEW_LENGTH ? `${text.slice(0, MAX_PREVIEW_LENGTH)}…` : text;
  return (
    <Popover width={360} position="bottom-end" withArrow withinPortal>
      <Popover.Target>
        <UnstyledButton
          className={`${classes.value} nodrag nopan`}
          aria-label={`Last value of ${output}: ${preview}`}
        >
          {preview}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown mah={320} style={{ overflow: "auto" }} className="nowheel">
        <ValueView value={value} name={output} />
      </Popover.Dropdown>
    </Popover>
  );
}
