import { Alert, List, Text } from "@mantine/core";
import { ApiError, fieldErrors, useConnection } from "../api";
import { Dimmed, SmallButton } from "./variants";

interface Props {
  error: unknown;
  /** JSON pointers whose errors the form shows at its fields. */
  fieldPaths?: string[];
  /** Loads again what failed to load, which also happens when a lost connection is back. */
  onRetry?: () => void;
}

const TITLES: Record<number, string> = {
  400: "Check your input",
  401: "Couldn’t sign you in",
  409: "That isn’t possible",
};

/** Shows an error with the text from the server; renders nothing without one. */
export function ErrorNotice({ error, fieldPaths = [], onRetry }: Props) {
  const isLost = useConnection().state !== "ok";
  if (!error) {
    return null;
  }
  const known = error instanceof ApiError;
  // The banner says what happened, and has a button to try again.
  if (known && error.transient && onRetry && isLost) {
    return <Dimmed>This loads as soon as the connection is back.</Dimmed>;
  }
  if (known && error.status === 0 && !isLost && !onRetry) {
    return (
      <Alert color="yellow" role="alert" title="The connection is back">
        It was lost during the request, so try again.
      </Alert>
    );
  }
  const { others } = fieldErrors(error, fieldPaths);
  if (known && error.violations.length > 0 && others.length === 0) {
    return null;
  }
  return (
    <Alert
      color="red"
      role="alert"
      title={known ? (TITLES[error.status] ?? error.title) : "Something went wrong"}
    >
      {others.length === 0 && <Text size="sm">{error instanceof Error ? error.message : String(error)}</Text>}
      {others.length > 0 && (
        <List size="sm">
          {others.map((violation) => (
            <List.Item key={violation.path + violation.detail}>
              {violation.path && <code>{violation.path}</code>} {violation.detail}
            </List.Item>
          ))}
        </List>
      )}
      {known && error.status >= 500 && error.requestId && (
        <Text size="xs" mt={4}>
          Request ID: <code>{error.requestId}</code>
        </Text>
      )}
      {onRetry && (
        <SmallButton mt="sm" onClick={onRetry}>
          Try again
        </SmallButton>
      )}
    </Alert>
  );
}
