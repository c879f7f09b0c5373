import { Button, Center, Loader } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { ApiError } from "../api/problem";
import { EmptyState } from "./EmptyState";
import { ErrorNotice } from "./ErrorNotice";
import { NotFound } from "./NotFound";

interface QueryState<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** Renders a query's data, its error, or a loading indicator. */
export function QueryBoundary<T>({
  query,
  children,
}: {
  query: QueryState<T>;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) {
    return children(query.data);
  }
  if (query.error instanceof ApiError && query.error.status === 404) {
    return <NotFound />;
  }
  if (query.error instanceof ApiError && query.error.status === 403) {
    return (
      <EmptyState
        icon={IconLock}
        title="You don’t have access"
        action={
          <Button component={Link} to="/" variant="default">
            Go to Overview
          </Button>
        }
      >
        {query.error.message}
      </EmptyState>
    );
  }
  if (query.error) {
    return <ErrorNotice error={query.error} onRetry={() => query.refetch()} />;
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
