import { Center, Loader } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ApiError } from "../api";
import { LinkButton } from "./variants";
import { EmptyState } from "./EmptyState";
import { ErrorNotice } from "./ErrorNotice";
import { NotFound } from "./NotFound";

interface QueryState<T> {
  data: T | undefined;
  error: Error | null;
  /** Whether the data belongs to other filters and is shown until that of the current ones has loaded. */
  isPlaceholderData?: boolean;
  /** The error of the last attempt while the request is retried. */
  failureReason?: Error | null;
  refetch: () => unknown;
}

/** The error to show instead of the data. Data of other filters does not hide a failed request for the current ones. */
export function shownError(props: QueryState<unknown>): Error | null {
  const { data, error, isPlaceholderData, failureReason } = props;
  if (data === undefined) {
    return error;
  }
  return isPlaceholderData ? (error ?? failureReason ?? null) : null;
}

/** Renders a query's data, its error, or a loading indicator. */
export function QueryBoundary<T>({
  query,
  children,
}: {
  query: QueryState<T>;
  children: (data: T) => ReactNode;
}) {
  const error = shownError(query);
  if (query.data !== undefined && !error) {
    return children(query.data);
  }
  if (error instanceof ApiError && error.status === 404) {
    return <NotFound />;
  }
  if (error instanceof ApiError && error.status === 403) {
    return (
      <EmptyState
        icon={IconLock}
        title="You don’t have access"
        action={
          <LinkButton variant="default" to="/">
            Go to Overview
          </LinkButton>
        }
      >
        {error.message}
      </EmptyState>
    );
  }
  if (error) {
    return <ErrorNotice error={error} onRetry={() => query.refetch()} />;
  }
  return <LoadingIndicator />;
}

export function LoadingIndicator() {
  return (
    <Center py="xl" className="slow" role="status" aria-label="Loading">
      <Loader />
    </Center>
  );
}
