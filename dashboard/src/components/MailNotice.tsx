import { Alert } from "@mantine/core";
import { IconMailOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useIsAdmin, useMe } from "../api";
import { useStored } from "./useStored";

/** Warns admins that no mail server is set up, so no email is sent. Stays hidden after it is closed. */
export function MailNotice({ page, children }: { page: string; children: ReactNode }) {
  const isAdmin = useIsAdmin();
  const { data: me } = useMe();
  const [closed, setClosed] = useStored(`mail-notice.${page}`, false);
  if (!isAdmin || closed || !me || me.emails_sent) {
    return null;
  }
  return (
    <Alert
      className="screenOnly"
      role="note"
      py="xs"
      color="yellow"
      icon={<IconMailOff size={18} />}
      title="No email server is set up"
      withCloseButton
      closeButtonLabel="Hide this notice"
      onClose={() => setClosed(true)}
    >
      {children}
    </Alert>
  );
}
