import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { isConflict, useConflict, type Tagged } from "../api";
import { ConflictDialog } from "./ConflictDialog";
import { Form } from "./Form";
import { useUnsavedChanges } from "./leaveGuard";

interface Named {
  name: string;
  updated_at: string;
  updated_by: string;
}

interface Props<T extends Named> {
  /** The query key of polling for changes by other people. */
  queryKey: unknown[];
  loaded: Tagged<T>;
  read: () => Promise<Tagged<T>>;
  save: (name: string, etag: string) => Promise<Tagged<T>>;
  action: string;
  autoFocus?: boolean;
  /** Further fields that are saved with the name. */
  children?: ReactNode;
  /** Whether one of the further fields has changed. */
  changed?: boolean;
  onSaved: (saved: Tagged<T>) => void;
}

/** Renames something that another person may rename at the same time. */
export function NameForm<T extends Named>({
  queryKey,
  loaded,
  read,
  save,
  action,
  autoFocus = false,
  children,
  changed = false,
  onSaved,
}: Props<T>) {
  const [edited, setEdited] = useState(loaded);
  const form = useForm({ initialValues: { name: loaded.name } });
  const conflict = useConflict(queryKey, loaded, read, edited);
  const rename = useMutation({
    mutationFn: ({ name, etag = edited.etag }: { name: string; etag?: string }) => save(name.trim(), etag),
    onSuccess: (saved) => {
      setEdited(saved);
      form.setValues({ name: saved.name });
      conflict.close();
      onSaved(saved);
    },
    onError: conflict.onError,
  });
  const dirty = changed || form.values.name.trim() !== edited.name;
  useUnsavedChanges(dirty);
  return (
    <>
      <Form
        form={form}
        mutation={isConflict(rename.error) ? { ...rename, error: null } : rename}
        action={action}
        button={{ disabled: !dirty }}
      >
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          maxLength={100}
          data-autofocus={autoFocus || undefined}
          {...form.getInputProps("name")}
        />
        {children}
      </Form>
      <ConflictDialog
        conflict={conflict}
        texts={(theirs) => ({ mine: form.values.name, theirs: theirs.name })}
        onKeepMine={({ etag }) => rename.mutate({ name: form.values.name, etag })}
        onTakeTheirs={(theirs) => {
          setEdited(theirs);
          form.setValues({ name: theirs.name });
          conflict.close();
        }}
      />
    </>
  );
}
