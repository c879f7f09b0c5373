import { Text } from "@mantine/core";
import { useMe } from "../api";
import { formatDateTime } from "./Time";
import { usePrinting } from "./usePrinting";
import { useMinute } from "./useMinute";

/** At the head of every printed page: the organization, the time of printing and the address of the page. */
export function PrintedOrigin({ orgId }: { orgId: string | undefined }) {
  const { data: me } = useMe();
  const now = useMinute();
  return usePrinting() ? (
    <Text size="xs" mb="sm" style={{ overflowWrap: "anywhere" }}>
      {[
        me?.organizations.find(({ id }) => id === orgId)?.name,
        `Printed ${formatDateTime(new Date(now).toISOString())}`,
        `${window.location.origin}${window.location.pathname}`,
      ]
        .filter(Boolean)
        .join(" · ")}
    </Text>
  ) : null;
}
