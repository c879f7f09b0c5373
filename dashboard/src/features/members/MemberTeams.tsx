import { Anchor, Text } from "@mantine/core";
import { Fragment } from "react";
import { Link } from "react-router";
import { useOrganizationId } from "../../api/organization";
import { useTeams } from "../../api/queries";

/** The names of a person's teams, linked to their pages. */
export function MemberTeams({ teamIds }: { teamIds: number[] }) {
  const orgId = useOrganizationId();
  const { data: teams = [] } = useTeams(orgId);
  const own = teams.filter(({ id }) => teamIds.includes(id));
  if (own.length === 0) {
    return (
      <Text span size="sm" c="dimmed">
        –
      </Text>
    );
  }
  return own.map(({ id, name }, index) => (
    <Fragment key={id}>
      {index > 0 && ", "}
      <Anchor component={Link} size="sm" to={`/organizations/${orgId}/teams/${id}`}>
        {name}
      </Anchor>
    </Fragment>
  ));
}
