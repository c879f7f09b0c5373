import { Modal, SegmentedControl, Stack } from "@mantine/core";
import { useState } from "react";
import { optionsOf } from "../../components/optionsOf";
import { S3Form } from "./S3Form";
import { UploadForm } from "./UploadForm";

interface Props {
  /** The S3 prefixes that the organization may read; without any, only uploads are possible. */
  prefixes: string[];
  opened: boolean;
  onClose: () => void;
}

/** Creates a data set from a file or from S3 objects. */
export function AddDataSetDialog({ prefixes, opened, onClose }: Props) {
  const [busy, setBusy] = useState(false);
  const [source, setSource] = useState("file");
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title="Add data set"
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      withCloseButton={!busy}
    >
      <Stack>
        {prefixes.length > 0 && (
          <SegmentedControl
            fullWidth
            aria-label="Source"
            disabled={busy}
            data={optionsOf({ file: "Upload a file", s3: "From S3" })}
            value={source}
            onChange={setSource}
          />
        )}
        {source === "s3" && prefixes.length > 0 ? (
          <S3Form prefixes={prefixes} onBusy={setBusy} />
        ) : (
          <UploadForm onBusy={setBusy} />
        )}
      </Stack>
    </Modal>
  );
}
