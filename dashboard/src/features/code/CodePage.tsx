import { Group, Modal, Table } from "@mantine/core";
import { IconCode } from "@tabler/icons-react";
import { RowLink, useGoTo } from "../../components/PageLink";
import { hasWords, useAllPages, useCodePages, useIsAdmin, useRowUsages, type Schemas } from "../../api";
import { useActorName } from "../../components/actorNames";
import { DimmedXs, AddButton } from "../../components/variants";
import { EmptyList } from "../../components/NoMatches";
import { isBlank, PagedTable } from "../../components/PagedTable";
import { Page } from "../../components/Page";
import { Time } from "../../components/Time";
import { UsageLinks } from "../../components/UsedBy";
import { SearchField } from "../../components/SearchField";
import { useDialog } from "../../components/useDialog";
import { useFilters } from "../../components/useFilters";
import { NewCodeForm } from "./NewCodeForm";

export default function CodePage() {
  const nameOf = useActorName();
  const isAdmin = useIsAdmin();
  const goTo = useGoTo();
  const dialog = useDialog("new-code");
  const pages = useCodePages();
  const filters = useFilters();
  const search = filters.get("search");
  useAllPages(pages, search !== undefined);
  const found = { ...pages, items: pages.items.filter((each) => hasWords(searchedText(each), search)) };
  const usages = useRowUsages(
    "code_artifact",
    pages.items.map((each) => each.id),
  );
  const create = isAdmin && <AddButton onClick={dialog.open}>New code</AddButton>;
  return (
    <Page
      title="Code"
      about="JavaScript and Python for Coder tasks. Runs in a sandbox with no network or file access."
      actions={create}
    >
      {!isBlank(pages, search !== undefined) && (
        <Group className="filters">
          <SearchField
            aria-label="Search"
            placeholder="Name, language, input or output"
            maxLength={100}
            w={{ base: "100%", xs: 320 }}
          />
        </Group>
      )}
      <PagedTable
        pages={found}
        columns={["Name", "Language", "Version", "Used by", "Updated", "ID"]}
        minWidth={680}
        empty={
          <EmptyList
            things="pieces of code"
            filtered={search !== undefined}
            icon={IconCode}
            title="No code yet"
            action={create}
          >
            {isAdmin
              ? "Write a function, test it, and use it in a Coder task."
              : "Ask an owner or admin to add some."}
          </EmptyList>
        }
      >
        {(artifact) => (
          <Table.Tr key={artifact.id}>
            <Table.Td>
              <RowLink to={`code/${artifact.id}`}>{artifact.name}</RowLink>
              <DimmedXs lineClamp={1}>{signatureOf(artifact)}</DimmedXs>
            </Table.Td>
            <Table.Td>{artifact.language === "python" ? "Python" : "JavaScript"}</Table.Td>
            <Table.Td data-label="Version">{artifact.version}</Table.Td>
            <Table.Td data-label="Used by" maw={280}>
              <UsageLinks usage={usages.data?.get(String(artifact.id))} />
            </Table.Td>
            <Table.Td>
              <Time at={artifact.updated_at} relative /> by {nameOf(artifact.created_by)}
            </Table.Td>
            <Table.Td data-label="ID">{artifact.id}</Table.Td>
          </Table.Tr>
        )}
      </PagedTable>
      <Modal opened={isAdmin && dialog.opened} onClose={dialog.close} title="New code">
        <NewCodeForm onCreated={({ id }) => void goTo(`code/${id}`, { replace: true })} />
      </Modal>
    </Page>
  );
}

type Signature = Pick<Schemas["CodeArtifact"], "name" | "language" | "inputs" | "outputs">;

const namesOf = (parameters: { name: string }[]) => parameters.map(({ name }) => name).join(", ");

/** Formats the declared parameters as "amount, rate → total". */
function signatureOf({ inputs, outputs }: Signature): string {
  return inputs.length + outputs.length === 0
    ? "No inputs or outputs declared"
    : `${namesOf(inputs) || "No inputs"} → ${namesOf(outputs) || "no outputs"}`;
}

/** The texts to search. */
const searchedText = (artifact: Signature) =>
  `${artifact.name} ${artifact.language} ${signatureOf(artifact)}`;
