import { Modal, Select, Stack, Text, type SelectProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useCodeVersion, useCodeVersions } from "../../api";
import { useActorName } from "../../components/actorNames";
import { DimmedXs, SecondaryButton } from "../../components/variants";
import { QueryBoundary } from "../../components/QueryBoundary";
import { formatDateTime } from "../../components/Time";
import { lazily } from "../../components/lazily";
import { codeText } from "./codeText";

const TextDiff = lazily(() => import("../../components/TextDiff"));

interface Props {
  artifactId: number;
  version: number;
}

/** The versions for a select, which shows when and by whom each was saved. */
function useVersionOptions(artifactId: number) {
  const nameOf = useActorName();
  const versions = useCodeVersions(artifactId) ?? [];
  const data = versions.map(({ version }) => ({ value: String(version), label: `Version ${version}` }));
  const renderOption: SelectProps["renderOption"] = ({ option }) => {
    const found = versions.find(({ version }) => String(version) === option.value);
    return (
      <div>
        <Text size="sm">{option.label}</Text>
        {found && (
          <DimmedXs>
            {formatDateTime(found.created_at)}, {nameOf(found.created_by)}
          </DimmedXs>
        )}
      </div>
    );
  };
  return { data, renderOption };
}

export function VersionPicker({ artifactId, version }: Props) {
  const [, setSearch] = useSearchParams();
  return (
    <Select
      w={150}
      aria-label="Version"
      allowDeselect={false}
      comboboxProps={{ width: 240, position: "bottom-end" }}
      {...useVersionOptions(artifactId)}
      value={String(version)}
      onChange={(chosen) => chosen && setSearch({ version: chosen }, { replace: true })}
    />
  );
}

interface CompareProps extends Props {
  text: string;
  /** Whether there is one version, and the editor has no changes. */
  isOnlyText: boolean;
}

/** Compares the editor with a version. */
export function CompareVersions({ text, isOnlyText, ...props }: CompareProps) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <SecondaryButton onClick={dialog.open}>Compare</SecondaryButton>
      <Modal opened={opened} onClose={dialog.close} size="xl" title="Compare with a version">
        {isOnlyText ? (
          <Text size="sm">There is only version 1, and you haven’t changed it.</Text>
        ) : (
          <Comparison {...props} text={text} />
        )}
      </Modal>
    </>
  );
}

function Comparison({ artifactId, version, text }: Props & { text: string }) {
  const [chosen, setChosen] = useState(version);
  const before = useCodeVersion(artifactId, chosen);
  return (
    <Stack>
      <Select
        label="Version"
        allowDeselect={false}
        {...useVersionOptions(artifactId)}
        value={String(chosen)}
        onChange={(next) => next && setChosen(Number(next))}
      />
      <QueryBoundary query={before}>
        {(found) => (
          <TextDiff
            before={codeText(found)}
            after={text}
            label={`Version ${chosen} compared with the editor`}
          />
        )}
      </QueryBoundary>
    </Stack>
  );
}
