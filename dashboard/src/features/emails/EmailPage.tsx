import { Alert, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { api, unwrap } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";

export default function EmailPage() {
  const orgId = useOrganizationId();
  const { emailId = "" } = useParams();
  const mail = useQuery({
    queryKey: ["organization", orgId, "emails", "one", emailId],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/emails/{emailId}", {
          params: { path: { orgId, emailId } },
        }),
      ),
  });
  return (
    <QueryBoundary query={mail}>
      {(found) => (
        <Page
          title={found.subject}
          back={{ to: `/organizations/${orgId}/emails`, label: "Emails" }}
          badge={<StatusLabel status={found.state} />}
          about={
            <>
              To {found.to} · created <Time at={found.created_at} seconds /> ·{" "}
              {found.sent_at ? (
                <>
                  sent <Time at={found.sent_at} seconds />
                </>
              ) : (
                "not sent yet"
              )}{" "}
              · {found.attempts} {found.attempts === 1 ? "attempt" : "attempts"}
            </>
          }
        >
          {found.error && (
            <Alert color="red" title="The last attempt failed">
              {found.error}
            </Alert>
          )}
          {found.text === null ? (
            <Text c="dimmed">Invitation emails are hidden because they contain a private link.</Text>
          ) : (
            <pre className="code" tabIndex={0} aria-label="Email text">
              {found.text}
            </pre>
          )}
        </Page>
      )}
    </QueryBoundary>
  );
}
