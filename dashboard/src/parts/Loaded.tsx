import { Button, Center, Loader } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { ApiError } from "../api/problem";
import { EmptyState } from "./EmptyState";
import { ErrorNotice } from "./ErrorNotice";
import { NotFound } from "./NotFound";

interface Answer<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** What a query found, or why it did not, or that it takes a while. */
export function Loaded<T>({ query, children }: { query: Answer<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) {
    return children(query.data);
  }
  if (query.error instanceof ApiError && query.error.status === 404) {
    // Asking again would not bring it back.
    return <NotFound />;
  }
  if (query.error instanceof ApiError && query.error.status === 403) {
    return (
      <EmptyState
        icon={IconLock}
        title="This is not open to you"
        action={
          <Button component={Link} to="/" variant="default">
            Go to the start
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
  return <Waiting />;
}

export function Waiting() {
  return (
    <Center py="xl" className="slow" role="status" aria-label="Loading">
      <Loader />
    </Center>
  );
}
