import { Text } from "@mantine/core";
import { useOrganization } from "../../api/queries";
import { formatDateTime } from "../../components/Time";
import { usePrinting } from "../../components/usePrinting";
import { useMinute } from "./useMinute";

/** On paper: the organization, the time of printing and the address of the page. */
export function PrintedOrigin({ orgId }: { orgId: string }) {
  const { data: organization } = useOrganization(orgId);
  const now = useMinute();
  return usePrinting() ? (
    <Text size="xs" mb="sm">
      {[
        organization?.name,
        `Printed ${formatDateTime(new Date(now).toISOString())}`,
        `${window.location.origin}${window.location.pathname}`,
      ]
        .filter(Boolean)
        .join(" · ")}
    </Text>
  ) : null;
}
