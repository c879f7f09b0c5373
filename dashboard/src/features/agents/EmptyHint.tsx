import { Text } from "@mantine/core";
import { Panel } from "@xyflow/react";
import { Dimmed } from "../../components/variants";
import classes from "./editor.module.css";

/** Instructions on an empty canvas. */
export function EmptyHint() {
  return (
    <Panel position="top-center" className={classes.hint}>
      <Text fw={600}>Add the first task</Text>
      <Dimmed>
        AI tasks ask a model, Human tasks ask a person, App tasks call a tool and Coder tasks run code. Drag
        from an output to another task to pass a value on.
      </Dimmed>
    </Panel>
  );
}
