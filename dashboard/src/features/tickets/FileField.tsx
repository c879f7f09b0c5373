import { Button, FileButton, Group, Input, Progress, Stack } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { storeFile } from "../../api/upload";
import { ErrorNotice } from "../../components/ErrorNotice";
import { fileUrl } from "../../components/fileUris";
import { StoredFile } from "../../components/StoredFile";
import { ValueInput } from "../../components/ValueInput";
import type { RawValue, ValueField } from "../../components/valueFields";

/** File types accepted for an output. Other outputs are entered as text. */
const ACCEPTED: Record<string, string> = {
  PDF: "application/pdf",
  CSV: "text/csv",
  FILE: "image/*,audio/*,video/mp4,video/webm,video/quicktime,application/pdf,.xlsx,text/csv",
};

export const isFile = (type: string) => type in ACCEPTED;

/** The mutation key of uploads, so that the form can wait for them. */
export const UPLOADING = ["uploading for a ticket"];

interface Props {
  orgId: string;
  field: ValueField;
  /** Instead of the name of the field. */
  label?: string;
  value: RawValue;
  error?: string;
  disabled?: boolean;
  onChange: (value: RawValue) => void;
}

/** A file output: an uploaded file, the URL of one, or text that becomes a file. */
export function FileField(props: Props) {
  const { orgId, field, label = field.name, value, error, disabled, onChange } = props;
  const [share, setShare] = useState(0);
  const uploading = useMutation({
    mutationKey: UPLOADING,
    mutationFn: (file: File) => storeFile(orgId, file, setShare),
    onMutate: () => setShare(0),
    onSuccess: (stored) => onChange(stored.file_url),
  });
  const uri = typeof value === "string" && fileUrl(value) ? value : null;
  return (
    <Stack gap={6}>
      {uri === null ? (
        <ValueInput
          field={field}
          label={label}
          value={value}
          error={error}
          disabled={disabled}
          onChange={onChange}
        />
      ) : (
        <Input.Wrapper
          label={label}
          description={field.description}
          required={field.required}
          error={error}
          labelElement="div"
        >
          <StoredFile uri={uri} />
        </Input.Wrapper>
      )}
      <Group gap="xs">
        <FileButton accept={ACCEPTED[field.type]} onChange={(file) => file && uploading.mutate(file)}>
          {(button) => (
            <Button
              {...button}
              size="xs"
              variant="default"
              leftSection={<IconUpload size={14} />}
              disabled={disabled}
              loading={uploading.isPending}
            >
              {uri === null ? `Upload a file for ${label}` : `Replace file for ${label}`}
            </Button>
          )}
        </FileButton>
        {uri !== null && !disabled && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => onChange(null)}>
            Remove
          </Button>
        )}
      </Group>
      {uploading.isPending && (
        <Progress className="slow" value={100 * share} aria-label={`Upload progress for ${label}`} />
      )}
      <ErrorNotice error={uploading.error} />
    </Stack>
  );
}
