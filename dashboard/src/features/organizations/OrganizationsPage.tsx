import { Button, Modal, Table, TextInput } from "@mantine/core";
import { IconBuilding } from "@tabler/icons-react";
import { useForm } from "@mantine/form";
import { Link, useNavigate } from "react-router";
import { hasWords, useAllPages, useCreateOrganization, useMe, useOrganizations } from "../../api";
import { Form } from "../../components/Form";
import { EmptyList } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { PagedTable } from "../../components/PagedTable";
import { formatCount } from "../../components/formatNumbers";
import { SearchField } from "../../components/SearchField";
import { Time } from "../../components/Time";
import { useDialog } from "../../components/useDialog";
import { useFilters } from "../../components/useFilters";
import { useHomeOrganization } from "../../components/lastOrganization";
import { Nodes } from "./Nodes";

/** Fewer are found at a glance. */
const SEARCH_FROM = 11;

/** All organizations that the user can open; operators create new ones here. */
export default function OrganizationsPage() {
  const { data: me } = useMe();
  const home = useHomeOrganization();
  const dialog = useDialog("new-organization");
  const pages = useOrganizations();
  const filters = useFilters();
  const search = filters.get("search");
  useAllPages(pages, search !== undefined);
  const found = { ...pages, items: pages.items.filter((each) => hasWords(each.name, search)) };
  const create = me?.operator && <Button onClick={dialog.open}>New organization</Button>;
  return (
    <>
      <Page
        title="Organizations"
        back={home && { to: `/organizations/${home.id}`, label: home.name }}
        about={
          me?.operator ? "All organizations of this installation." : "The organizations that you can open."
        }
        actions={create}
      >
        {(pages.items.length >= SEARCH_FROM || search !== undefined) && (
          <SearchField aria-label="Search organizations" placeholder="Name" maw={320} maxLength={100} />
        )}
        <PagedTable
          pages={found}
          columns={["Organization", "Your role", { label: "Members", numeric: true }, "Created"]}
          minWidth={480}
          empty={
            <EmptyList
              things="organizations"
              filtered={search !== undefined}
              icon={IconBuilding}
              title="You’re not a member of any organization yet"
            >
              Open your invitation link, or ask an admin to invite {me?.email}.
              {me?.operator ? " You can also create an organization." : ""}
            </EmptyList>
          }
        >
          {(each) => (
            <Table.Tr key={each.id}>
              <Table.Td>
                <Link className="rowLink" to={`/organizations/${each.id}`}>
                  {each.name}
                </Link>
              </Table.Td>
              <Table.Td tt={each.role ? "capitalize" : undefined}>
                {each.role ?? "Not a member, opened as operator"}
              </Table.Td>
              <Table.Td data-label="Members" className="number">
                {formatCount(each.members)}
              </Table.Td>
              <Table.Td data-label="Created">
                <Time at={each.created_at} relative />
              </Table.Td>
            </Table.Tr>
          )}
        </PagedTable>
        {me?.operator && <Nodes />}
      </Page>
      <Modal opened={me?.operator === true && dialog.opened} onClose={dialog.close} title="New organization">
        <NewOrganization />
      </Modal>
    </>
  );
}

function NewOrganization() {
  const form = useForm({ initialValues: { name: "" } });
  const navigate = useNavigate();
  const create = useCreateOrganization({
    onSuccess: ({ id }) => navigate(`/organizations/${id}`, { replace: true }),
  });
  return (
    <Form form={form} mutation={create} action="Create">
      <TextInput label="Name" data-autofocus required {...form.getInputProps("name")} />
    </Form>
  );
}
