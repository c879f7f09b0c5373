import { Modal, SegmentedControl, Stack } from "@mantine/core";
import { useState } from "react";
import { S3Form } from "./S3Form";
import { UploadForm } from "./UploadForm";

interface Props {
  orgId: string;
  /** What the organization may read of S3; where it is nothing, only files are offered. */
  prefixes: string[];
  opened: boolean;
  onClose: () => void;
}

/** Creates a data set: of a file, or of objects in S3. */
export function AddDialog({ orgId, prefixes, opened, onClose }: Props) {
  const [busy, setBusy] = useState(false);
  const [from, setFrom] = useState("file");
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Add data"
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      withCloseButton={!busy}
    >
      <Stack>
        {prefixes.length > 0 && (
          <SegmentedControl
            fullWidth
            aria-label="Where it comes from"
            disabled={busy}
            data={[
              { value: "file", label: "Upload a file" },
              { value: "s3", label: "From S3" },
            ]}
            value={from}
            onChange={setFrom}
          />
        )}
        {from === "s3" && prefixes.length > 0 ? (
          <S3Form orgId={orgId} prefixes={prefixes} onBusy={setBusy} />
        ) : (
          <UploadForm orgId={orgId} onBusy={setBusy} />
        )}
      </Stack>
    </Modal>
  );
}
