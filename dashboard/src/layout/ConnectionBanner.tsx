import { Alert, Group, Text } from "@mantine/core";
import { IconPlayerPause, IconPlugConnectedX } from "@tabler/icons-react";
import type { Ref } from "react";
import { check, useConnection, useMe } from "../api";
import { SecondaryButton } from "../components/variants";

/** Shows that Parley is on standby, or that the page is out of date while Parley cannot be reached. */
export function ConnectionBanner({ ref }: { ref: Ref<HTMLDivElement> }) {
  const { state, lastContact } = useConnection();
  const { data: me } = useMe();
  const time = new Date(lastContact).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return (
    <div role="status" ref={ref}>
      {me?.standby && (
        <Alert color="blue" radius={0} py="xs" icon={<IconPlayerPause size={18} />}>
          Parley is on standby. You can read everything; nothing runs, and nothing can be sent or saved.
        </Alert>
      )}
      {state !== "ok" && (
        <Alert color="yellow" radius={0} py="xs" icon={<IconPlugConnectedX size={18} />}>
          <Group justify="space-between">
            <Text size="sm">
              {state === "offline" ? "You’re offline." : "Parley can’t be reached."} Last updated {time}.
              Nothing can be sent or saved until the connection is back.
            </Text>
            <SecondaryButton size="compact-sm" onClick={() => void check()}>
              Try now
            </SecondaryButton>
          </Group>
        </Alert>
      )}
    </div>
  );
}
