import {
  Alert,
  Button,
  Checkbox,
  Group,
  Input,
  MultiSelect,
  ScrollArea,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api";
import { SecondaryButton, Dimmed } from "../../components/variants";
import { matching, tagsOf } from "./operations";

/** More rows than a person reads; the search finds the others. */
const MAX_ROWS = 200;

/** The number of tools that a provider may have. */
const MAX_TOOLS = 500;

interface Props {
  /** The names of the chosen operations and tags; none chooses all operations. */
  operations: string[];
  tags: string[];
  onChange: (chosen: { operations: string[]; tags: string[] }) => void;
  /** Reads the operations that the description offers. */
  read: () => Promise<Schemas["OfferedOperations"]>;
  disabled: boolean;
}

/** Chooses the operations of an OpenAPI description that become tools. */
export default function OperationChoice({ operations, tags, onChange, read, disabled }: Props) {
  const [search, setSearch] = useState("");
  const offer = useMutation({ mutationFn: read });
  const offered = offer.data?.operations ?? [];
  const found = matching(offered, search);
  const chosen = new Set(operations);
  const byTag = (each: Schemas["OfferedOperation"]) => each.tags.some((tag) => tags.includes(tag));
  const count = offered.filter((each) => chosen.has(each.name) || byTag(each)).length;
  const choose = (names: string[], isChosen: boolean) =>
    onChange({
      operations: isChosen
        ? [...new Set([...operations, ...names])]
        : operations.filter((name) => !names.includes(name)),
      tags,
    });
  const isAll = operations.length === 0 && tags.length === 0;
  return (
    <Input.Wrapper
      label="Operations"
      description={`Without a choice, all operations become tools, at most ${MAX_TOOLS}.`}
    >
      <Stack gap="xs" mt={4}>
        <Group justify="space-between">
          <Text size="sm" role="status">
            {offer.isSuccess
              ? isAll
                ? `${offered.length} operations, all chosen`
                : `${count} of ${offered.length} operations chosen`
              : isAll
                ? "All operations"
                : `${operations.length} operations and ${tags.length} tags chosen`}
          </Text>
          <Group gap="xs">
            {!isAll && (
              <Button
                variant="subtle"
                size="compact-sm"
                onClick={() => onChange({ operations: [], tags: [] })}
              >
                Choose all
              </Button>
            )}
            <SecondaryButton
              size="compact-sm"
              disabled={disabled}
              loading={offer.isPending}
              onClick={() => offer.mutate()}
            >
              {offer.isSuccess ? "Read again" : "Choose operations"}
            </SecondaryButton>
          </Group>
        </Group>
        {offer.error && (
          <Alert color="red" role="alert">
            {offer.error.message}
          </Alert>
        )}
        {(isAll ? offered.length : count) > MAX_TOOLS && (
          <Alert color="yellow" role="alert">
            A provider has at most {MAX_TOOLS} tools. Choose fewer operations; further ones are skipped.
          </Alert>
        )}
        {offer.isSuccess && (
          <>
            <MultiSelect
              label="Tags"
              placeholder="All operations with a tag"
              data={tagsOf(offered)}
              value={tags}
              onChange={(next) => onChange({ operations, tags: next })}
              searchable
              clearable
            />
            <TextInput
              label="Search operations"
              placeholder="Name, path, summary or tag"
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
            {search.trim() !== "" && found.length > 0 && (
              <Group gap="xs">
                <SecondaryButton
                  size="compact-sm"
                  onClick={() =>
                    choose(
                      found.map((each) => each.name),
                      true,
                    )
                  }
                >
                  Choose these {found.length}
                </SecondaryButton>
              </Group>
            )}
            <Offered
              operations={found}
              isChosen={(each) => chosen.has(each.name) || byTag(each)}
              isFixed={byTag}
              onChoose={(name, isChosen) => choose([name], isChosen)}
            />
          </>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

interface OfferedProps {
  operations: Schemas["OfferedOperation"][];
  isChosen: (operation: Schemas["OfferedOperation"]) => boolean;
  /** Whether a chosen tag includes the operation. */
  isFixed: (operation: Schemas["OfferedOperation"]) => boolean;
  onChoose: (name: string, isChosen: boolean) => void;
}

function Offered({ operations, isChosen, isFixed, onChoose }: OfferedProps) {
  return (
    <ScrollArea.Autosize mah={260} type="auto" tabIndex={0} role="group" aria-label="Offered operations">
      <Stack gap={6}>
        {operations.slice(0, MAX_ROWS).map((each) => (
          <Checkbox
            key={each.name}
            label={each.name}
            description={`${each.method} ${each.path}${each.summary ? ` · ${each.summary}` : ""}`}
            checked={isChosen(each)}
            disabled={isFixed(each)}
            onChange={(event) => onChoose(each.name, event.currentTarget.checked)}
          />
        ))}
        {operations.length > MAX_ROWS && (
          <Dimmed>{operations.length - MAX_ROWS} more. Search to see them.</Dimmed>
        )}
        {operations.length === 0 && <Text size="sm">No matches.</Text>}
      </Stack>
    </ScrollArea.Autosize>
  );
}
