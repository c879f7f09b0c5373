import { CloseButton, FileButton, Group, Progress, Stack, Text } from "@mantine/core";
import { IconPaperclip } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, storeFile, useOrganizationId } from "../../api";
import { SecondaryButton, ErrorXs } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { fileName } from "../../components/fileUris";
import { ACCEPTED_FILES } from "../conversations/attachments";

interface Props {
  /** The `s3://` URIs of the uploaded files. */
  files: string[];
  error?: string;
  onChange: (change: (now: string[]) => string[]) => void;
}

/** The files of a test run's message. */
export function TestFiles({ files, error, onChange }: Props) {
  const orgId = useOrganizationId();
  const [share, setShare] = useState(0);
  const uploading = useMutation({
    mutationFn: async (chosen: File[]) => {
      for (const file of chosen) {
        setShare(0);
        // One after the other, so that the progress is that of one file.
        // oxlint-disable-next-line no-await-in-loop
        const { file_url } = await storeFile(orgId, file, setShare).catch((cause: unknown) => {
          const [violation] = cause instanceof ApiError ? cause.violations : [];
          throw violation ? new Error(`${file.name} was not attached. ${violation.detail}`) : cause;
        });
        onChange((now) => [...now, file_url]);
      }
    },
  });
  return (
    <Stack gap={4}>
      {files.map((uri) => (
        <Group key={uri} gap={4} wrap="nowrap">
          <IconPaperclip size={14} aria-hidden />
          <Text size="sm" truncate>
            {fileName(uri)}
          </Text>
          <CloseButton
            size="sm"
            aria-label={`Remove ${fileName(uri)}`}
            onClick={() => onChange((now) => now.filter((each) => each !== uri))}
          />
        </Group>
      ))}
      {uploading.isPending && <Progress className="slow" value={100 * share} aria-label="Upload progress" />}
      <FileButton multiple accept={ACCEPTED_FILES} onChange={(chosen) => uploading.mutate(chosen)}>
        {(button) => (
          <SecondaryButton
            {...button}
            size="compact-sm"
            leftSection={<IconPaperclip size={14} />}
            loading={uploading.isPending}
            style={{ alignSelf: "flex-start" }}
          >
            Attach files
          </SecondaryButton>
        )}
      </FileButton>
      {error && <ErrorXs>{error}</ErrorXs>}
      <ErrorNotice error={uploading.error} />
    </Stack>
  );
}
