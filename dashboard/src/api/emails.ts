import { organizationChange, usePages, useRead } from "./hooks";
import { post, type RequestQuery } from "./requests";

const REFRESH_MS = 15_000;

/** The emails with these filters, and their number. */
export function useEmails(query: RequestQuery<"email-summaries/count">) {
  const key = ["emails", query];
  const pages = usePages("email-summaries", {}, key, {
    query,
    refetchInterval: REFRESH_MS,
    idOf: ({ change }) => change,
    keepPrevious: true,
  });
  const total = useRead("email-summaries/count", {}, [...key, "count"], {
    query,
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
  });
  return { pages, total };
}

/** @param isPending whether the state of a recipient may still change */
export const useEmail = (emailId: string, isPending: (state: string) => boolean) =>
  useRead("emails/{emailId}", { emailId }, ["emails", "one", emailId], {
    refetchInterval: (query) =>
      query.state.data?.recipients.some(({ state }) => isPending(state)) ? 5_000 : false,
  });

export const useResendEmail = organizationChange(
  (orgId, emailId: string) => post("emails/{emailId}/resend", { orgId, emailId }),
  "emails",
);
