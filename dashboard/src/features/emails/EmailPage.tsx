import { Alert, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { api, ask } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { Loaded } from "../../parts/Loaded";
import { Page } from "../../parts/Page";
import { Status } from "../../parts/Status";
import { Time } from "../../parts/Time";

export default function EmailPage() {
  const orgId = useOrganizationId();
  const { emailId = "" } = useParams();
  const mail = useQuery({
    queryKey: ["organization", orgId, "emails", "one", emailId],
    queryFn: () =>
      ask(
        api.GET("/dashboard/api/organizations/{orgId}/emails/{emailId}", {
          params: { path: { orgId, emailId } },
        }),
      ),
  });
  return (
    <Loaded query={mail}>
      {(found) => (
        <Page
          title={found.subject}
          back={{ to: `/organizations/${orgId}/emails`, label: "E-mails" }}
          badge={<Status of={found.state} />}
          about={
            <>
              To {found.to} · written <Time at={found.created_at} seconds /> · sent{" "}
              <Time at={found.sent_at} seconds none="not yet" /> · {found.attempts}{" "}
              {found.attempts === 1 ? "attempt" : "attempts"}
            </>
          }
        >
          {found.error && (
            <Alert color="red" title="The last attempt did not succeed">
              {found.error}
            </Alert>
          )}
          {found.text === null ? (
            <Text c="dimmed">
              An invitation's text is shown to nobody: its link is for the invited person alone.
            </Text>
          ) : (
            <pre className="code" tabIndex={0} aria-label="Text of the e-mail">
              {found.text}
            </pre>
          )}
        </Page>
      )}
    </Loaded>
  );
}
