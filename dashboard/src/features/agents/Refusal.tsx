import { Alert } from "@mantine/core";
import { Panel } from "@xyflow/react";

/** Why the canvas can’t do something. */
export function Refusal({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <Panel position="bottom-center">
      <Alert color="red" role="alert" maw={520} withCloseButton closeButtonLabel="Close" onClose={onClose}>
        {text}
      </Alert>
    </Panel>
  );
}
