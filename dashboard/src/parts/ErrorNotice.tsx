import { Alert, Button, List, Text } from "@mantine/core";
import { ApiError, faultsOf } from "../api/problem";

interface Props {
  error: unknown;
  /** JSON pointers of the faults that a form shows at its fields. */
  shown?: string[];
  onRetry?: () => void;
}

/** What went wrong, in the service's own words. Shows nothing without an error. */
export function ErrorNotice({ error, shown = [], onRetry }: Props) {
  if (!error) {
    return null;
  }
  const known = error instanceof ApiError;
  const { others } = faultsOf(error, shown);
  if (known && error.faults.length > 0 && others.length === 0) {
    return null;
  }
  return (
    <Alert color="red" role="alert" title={known ? error.title : "Something went wrong in this page"}>
      {others.length === 0 && <Text size="sm">{error instanceof Error ? error.message : String(error)}</Text>}
      {others.length > 0 && (
        <List size="sm">
          {others.map((fault) => (
            <List.Item key={fault.path + fault.detail}>
              {fault.path && <code>{fault.path}</code>} {fault.detail}
            </List.Item>
          ))}
        </List>
      )}
      {known && error.status >= 500 && error.requestId && (
        <Text size="xs" mt={4}>
          Request id: <code>{error.requestId}</code>
        </Text>
      )}
      {onRetry && (
        <Button size="xs" mt="sm" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
