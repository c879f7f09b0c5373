import { Alert, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { ApiError, type Schemas } from "../../api";
import { SecondaryButton } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";

interface Props {
  lake: Schemas["DataLake"];
  error: Error | null;
  onRetry: () => void;
  /** Buttons for what helps if trying again does not, or nothing for members who may not use them. */
  remedies: ReactNode;
}

/** Says why the rows of a data set cannot be read, and offers what helps. */
export function RowsError({ lake, error, onRetry, remedies }: Props) {
  if (!(error instanceof ApiError && (error.status === 409 || error.status === 503))) {
    return <ErrorNotice error={error} onRetry={onRetry} />;
  }
  return (
    <Alert color="red" role="alert" title="The rows of this data set can’t be read">
      <Text size="sm">
        {reasonOf(error)}{" "}
        {!remedies
          ? "If trying again doesn’t help, ask an owner or admin."
          : lake.s3_uri
            ? "If trying again doesn’t help, refresh it from S3 or delete it."
            : "If trying again doesn’t help, replace its file or delete it."}
      </Text>
      <Group gap="xs" mt="sm">
        <SecondaryButton onClick={onRetry}>Try again</SecondaryButton>
        {remedies}
      </Group>
    </Alert>
  );
}

/** The dashboard calls a data lake of the API a data set. */
function reasonOf({ message }: ApiError): string {
  return message === "The data lake could not be read."
    ? "Its stored file is missing, or the file storage doesn’t respond."
    : message.replaceAll("data lake", "data set");
}
