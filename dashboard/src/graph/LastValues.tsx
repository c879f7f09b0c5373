import { Popover, Stack, UnstyledButton } from "@mantine/core";
import { createContext, useContext } from "react";
import { DimmedXs } from "../components/variants";
import { withFileNames } from "../components/fileUris";
import { ValueView } from "../components/ValueList";
import { scalarText } from "../components/ValueTable";
import { truncate } from "../components/truncate";
import classes from "./graph.module.css";

/** The outputs of the latest test run by task, for the nodes of the graph. */
export const LastValuesContext = createContext<ReadonlyMap<string, Record<string, unknown>>>(new Map());

const MAX_PREVIEW_LENGTH = 60;

const preview = (value: unknown) =>
  truncate(
    withFileNames(typeof value === "object" ? JSON.stringify(value) : scalarText(value)).replaceAll(
      /\s+/g,
      " ",
    ),
    MAX_PREVIEW_LENGTH,
  );

/** A line below a task with the last values of its outputs; a click shows all of them. */
export function LastValues({ task, name, outputs }: { task: string; name: string; outputs: string[] }) {
  const values = useContext(LastValuesContext).get(task) ?? {};
  const present = outputs.filter((output) => values[output] !== undefined && values[output] !== null);
  if (present.length === 0) {
    return null;
  }
  const text = present.map((output) => `${output}: ${preview(values[output])}`).join(", ");
  return (
    <Popover width={360} position="bottom-start" withArrow withinPortal>
      <Popover.Target>
        <UnstyledButton
          className={`${classes.lastValues} nodrag nopan`}
          aria-label={`Last values of ${name}: ${text}`}
          title={text}
        >
          {text}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown mah={320} style={{ overflow: "auto" }} className="nowheel">
        <Stack gap="xs">
          {present.map((output) => (
            <div key={output}>
              <DimmedXs ff="monospace">{output}</DimmedXs>
              <ValueView value={values[output]} name={output} />
            </div>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
