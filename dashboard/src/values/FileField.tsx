import { FileButton, Group, Input, Progress, Stack, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUpload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState, type DragEvent } from "react";
import { storeFile, useOrganizationId } from "../api";
import { SmallButton, Dimmed, QuietButton } from "../components/variants";
import { ErrorNotice } from "../components/ErrorNotice";
import { fileUrl } from "../components/fileUris";
import { StoredFile } from "../components/StoredFile";
import { ValueInput } from "./ValueInput";
import type { RawValue, ValueField } from "./valueFields";
import classes from "./fileField.module.css";

/** File types accepted for an output. Other outputs are entered as text. */
const ACCEPTED: Record<string, string> = {
  PDF: "application/pdf",
  CSV: "text/csv",
  FILE: "image/*,audio/*,video/mp4,video/webm,video/quicktime,application/pdf,.xlsx,text/csv",
};

export const isFile = (type: string) => type in ACCEPTED;

/** What to do with an empty required field. */
export function missingText(type: string): string {
  if (type === "BOOLEAN") {
    return "Choose Yes or No.";
  }
  return isFile(type) ? "Choose a file." : "Enter a value.";
}

/** The mutation key of uploads, so that the form can wait for them. */
export const UPLOADING = ["uploading for a ticket"];

interface Props {
  field: ValueField;
  /** Instead of the name of the field. */
  label?: string;
  value: RawValue;
  error?: string;
  disabled?: boolean;
  onChange: (value: RawValue) => void;
}

/** A file output: a file to drop or choose, or the URL of one. */
export function FileField(props: Props) {
  const orgId = useOrganizationId();
  const { field, label = field.name, value, error, disabled, onChange } = props;
  const [share, setShare] = useState(0);
  const [over, drag] = useDisclosure(false);
  const uploading = useMutation({
    mutationKey: UPLOADING,
    mutationFn: (file: File) => storeFile(orgId, file, setShare),
    onMutate: () => setShare(0),
    onSuccess: (stored) => onChange(stored.file_url),
  });
  const uri = typeof value === "string" && fileUrl(value) ? value : null;
  const [asText, text] = useDisclosure(uri === null && typeof value === "string" && value !== "");
  if (asText && uri === null) {
    return (
      <Stack gap={6}>
        <ValueInput {...props} label={label} />
        <Group>
          <QuietButton size="xs" disabled={disabled} onClick={text.close}>
            Upload a file instead
          </QuietButton>
        </Group>
      </Stack>
    );
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    drag.close();
    const [file] = event.dataTransfer.files;
    if (file && !disabled) {
      uploading.mutate(file);
    }
  };
  return (
    <Input.Wrapper
      label={label}
      description={field.description}
      required={field.required}
      error={error}
      labelElement="div"
    >
      <div
        className={classes.area}
        data-over={over || undefined}
        data-invalid={error ? true : undefined}
        onDragOver={(event) => {
          event.preventDefault();
          drag.open();
        }}
        onDragLeave={drag.close}
        onDrop={onDrop}
      >
        {uri !== null && <StoredFile uri={uri} />}
        <Group gap="xs">
          <FileButton accept={ACCEPTED[field.type]} onChange={(file) => file && uploading.mutate(file)}>
            {(button) => (
              <SmallButton
                {...button}
                leftSection={<IconUpload size={14} aria-hidden />}
                disabled={disabled}
                loading={uploading.isPending}
              >
                {uri === null ? "Choose a file" : "Replace file"}
                <VisuallyHidden>&nbsp;for {label}</VisuallyHidden>
              </SmallButton>
            )}
          </FileButton>
          {uri === null ? (
            <>
              <Dimmed>or drop it here</Dimmed>
              <QuietButton size="xs" disabled={disabled} onClick={text.open}>
                Enter a URL
              </QuietButton>
            </>
          ) : (
            !disabled && (
              <QuietButton size="xs" onClick={() => onChange(null)}>
                Remove
              </QuietButton>
            )
          )}
        </Group>
        {uploading.isPending && (
          <Progress className="slow" value={100 * share} aria-label={`Upload progress for ${label}`} />
        )}
        <ErrorNotice error={uploading.error} />
      </div>
    </Input.Wrapper>
  );
}
