import { useDocumentVisibility } from "@mantine/hooks";
import { useEffect } from "react";
import { saveReadPosition, useOrganizationId } from "../../api";

/** Marks a conversation as read up to its newest message while the page is visible. */
export function useReadPosition(id: string, newest: string | undefined) {
  const orgId = useOrganizationId();
  const visible = useDocumentVisibility() === "visible";
  useEffect(() => {
    if (newest && visible) {
      // The next message moves the position, too.
      saveReadPosition(orgId, id, newest).catch(() => {});
    }
  }, [orgId, id, newest, visible]);
}
