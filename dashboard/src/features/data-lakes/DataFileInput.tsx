import { FileInput, type FileInputProps } from "@mantine/core";
import { useState, type DragEvent } from "react";
import { ApiError, FileChangedError } from "../../api";
import { Strong } from "../../components/variants";
import { ACCEPTED } from "./formats";
import classes from "./dataFile.module.css";

interface Props extends Pick<FileInputProps, "description" | "disabled"> {
  value: File | null;
  /** Why the file isn’t of the chosen format. */
  formatError: string | null;
  /** The error of the upload, of which the field shows what concerns the file. */
  uploadError: unknown;
  onChange: (file: File | null) => void;
}

/** The errors that the field shows instead of the form. */
export function fileErrorOf(error: unknown): string | null {
  if (error instanceof FileChangedError) {
    return error.message;
  }
  return error instanceof ApiError && error.status === 413 ? "The file is too large." : null;
}

export const isEmpty = (file: File | null) => file?.size === 0;

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");

/** Chooses a file by the dialog of the browser, or by dropping it. */
export function DataFileInput({ formatError, uploadError, onChange, disabled, ...field }: Props) {
  const [over, setOver] = useState(false);
  const accepts = (event: DragEvent) => !disabled && hasFiles(event);
  return (
    <div
      className={classes.zone}
      onDragOver={(event) => {
        if (accepts(event)) {
          event.preventDefault();
          setOver(true);
        }
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (accepts(event)) {
          event.preventDefault();
          setOver(false);
          onChange(event.dataTransfer.files[0] ?? null);
        }
      }}
    >
      <FileInput
        label="File"
        data-autofocus
        placeholder="Choose a file or drop it here"
        required
        accept={ACCEPTED}
        disabled={disabled}
        error={isEmpty(field.value) ? "The file is empty." : (formatError ?? fileErrorOf(uploadError))}
        // Otherwise choosing the same file again, after it was corrected, would not be a change.
        fileInputProps={{ onClick: (event) => (event.currentTarget.value = "") }}
        onChange={onChange}
        {...field}
      />
      {over && (
        <Strong className={classes.hint} aria-hidden>
          Drop the file
        </Strong>
      )}
    </div>
  );
}
