import { Button, FileButton, Group, Progress, Stack } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { store } from "../../api/upload";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { fileAddress, StoredFile } from "../../parts/files";
import { TypedInput } from "../../parts/TypedInput";
import type { Typed, TypedField } from "../../parts/typed";

/** What may be uploaded for an output; what is not here is written as text. */
const ACCEPTED: Record<string, string> = {
  PDF: "application/pdf",
  CSV: "text/csv",
  FILE: "image/*,audio/*,video/mp4,video/webm,video/quicktime,application/pdf,.xlsx,text/csv",
};

export const isFile = (type: string) => type in ACCEPTED;

/** What uploads are known by, so that a form can wait for them. */
export const UPLOADING = ["uploading for a ticket"];

interface Props {
  orgId: string;
  field: TypedField;
  value: Typed;
  error?: string;
  onChange: (value: Typed) => void;
}

/** A file as an answer: one of the person's own, the link of one, or a text that is made one. */
export function FileField({ orgId, field, value, error, onChange }: Props) {
  const [share, setShare] = useState(0);
  const uploading = useMutation({
    mutationKey: UPLOADING,
    mutationFn: (file: File) => store(orgId, file, setShare),
    onMutate: () => setShare(0),
    onSuccess: (stored) => onChange(stored.file_url),
  });
  const uri = typeof value === "string" && fileAddress(value) ? value : null;
  return (
    <Stack gap={6}>
      <TypedInput field={field} value={value} error={error} disabled={uri !== null} onChange={onChange} />
      {uri !== null && <StoredFile uri={uri} />}
      <Group gap="xs">
        <FileButton accept={ACCEPTED[field.type]} onChange={(file) => file && uploading.mutate(file)}>
          {(button) => (
            <Button
              {...button}
              size="xs"
              variant="default"
              leftSection={<IconUpload size={14} />}
              loading={uploading.isPending}
            >
              {uri === null ? `Upload a file for ${field.name}` : `Another file for ${field.name}`}
            </Button>
          )}
        </FileButton>
        {uri !== null && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => onChange(null)}>
            Take it away
          </Button>
        )}
      </Group>
      {uploading.isPending && (
        <Progress className="slow" value={100 * share} aria-label={`Uploading for ${field.name}`} />
      )}
      <ErrorNotice error={uploading.error} />
    </Stack>
  );
}
