import { Alert, Button, Group, List, Modal, Stack, Text, Textarea, Tooltip } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useVersionDocument } from "../../api";
import { SecondaryButton } from "../../components/variants";
import { asDocument } from "../../graph/document";
import { ErrorNotice } from "../../components/ErrorNotice";
import { LoadingIndicator } from "../../components/QueryBoundary";
import { counted } from "../../components/counted";
import { ChangeList } from "./ChangeList";
import type { Draft, Saving } from "./useDraftSaving";
import { usePublishNote } from "./usePublishNote";
import type { ValidationIssue } from "../../values/validation";

const MAX_NOTE_LENGTH = 500;

interface Props {
  draft: Draft;
  saving: Saving;
  issues: ValidationIssue[];
  warnings: ValidationIssue[];
  /** Called instead of opening the dialog while there are issues. */
  onIssues: () => void;
}

/** Whether the newest version is the same as the draft. */
export const isPublished = ({ dirty, workflow }: Saving) =>
  !dirty && !workflow.unpublished_changes && workflow.published_version !== null;

/** Opens the publish dialog. While that is not possible, the button says why, and shows the issues. */
export function PublishButton(props: Props) {
  const { saving, issues, onIssues } = props;
  const { workflow, publish } = saving;
  const [opened, setOpened] = useState(false);
  const unchanged = isPublished(saving);
  const reason = unchanged ? `No changes since version ${workflow.published_version}` : reasonOf(issues);
  return (
    <>
      <Tooltip
        label={reason}
        disabled={reason === null}
        events={{ hover: true, focus: true, touch: true }}
        multiline
        maw={300}
      >
        <Button
          loading={publish.isPending}
          data-disabled={reason !== null || undefined}
          aria-disabled={reason !== null}
          aria-description={reason ?? undefined}
          onClick={() => {
            if (issues.length > 0) {
              onIssues();
            } else if (!unchanged) {
              setOpened(true);
            }
          }}
        >
          Publish…
        </Button>
      </Tooltip>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Publish agent" size="lg">
        <PublishForm {...props} onClose={() => setOpened(false)} />
      </Modal>
    </>
  );
}

function reasonOf(issues: ValidationIssue[]): string | null {
  if (issues.length === 0) {
    return null;
  }
  return issues.length === 1
    ? "Fix 1 issue before publishing"
    : `Fix ${issues.length} issues before publishing`;
}

type FormProps = Omit<Props, "onIssues"> & { onClose: () => void };

function PublishForm({ draft, saving, issues, warnings, onClose }: FormProps) {
  const { workflow, publish } = saving;
  const [note, setNote] = usePublishNote(workflow.id);
  const version = workflow.published_version;
  const published = useVersionDocument(workflow.id, String(version), version !== null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    publish.mutate(note, {
      onSuccess: () => {
        setNote("");
        onClose();
      },
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <ErrorNotice error={publish.error ?? published.error} />
        {issues.length > 0 && (
          <Alert color="red" title={reasonOf(issues)}>
            <List size="sm" spacing={4}>
              {issues.map((issue) => (
                <List.Item key={issue.path + issue.detail}>{issue.detail}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        {warnings.length > 0 && (
          <Alert color="yellow" title={counted(warnings.length, "warning")}>
            <List size="sm" spacing={4}>
              {warnings.map((warning) => (
                <List.Item key={warning.path}>{warning.detail}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        {version === null ? (
          <Text size="sm">
            This is the first version. It has {counted(draft.document.tasks.length, "task")}.
          </Text>
        ) : published.data ? (
          <ChangeList before={asDocument(published.data)} after={draft.document} />
        ) : (
          published.isPending && <LoadingIndicator />
        )}
        <Textarea
          label="Note"
          description="Optional. Shown in the list of versions."
          placeholder="What changed and why"
          autosize
          minRows={2}
          maxLength={MAX_NOTE_LENGTH}
          data-autofocus
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <SecondaryButton onClick={onClose}>Cancel</SecondaryButton>
          <Button type="submit" loading={publish.isPending} disabled={issues.length > 0}>
            {version === null ? "Publish" : `Publish version ${version + 1}`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
