import { Anchor } from "@mantine/core";
import { Fragment } from "react";
import { PageLink } from "../../components/PageLink";
import { useTeams } from "../../api";
import { Dimmed } from "../../components/variants";

/** The names of a person's teams, linked to their pages. */
export function MemberTeams({ teamIds }: { teamIds: number[] }) {
  const { data: teams = [] } = useTeams();
  const own = teams.filter(({ id }) => teamIds.includes(id));
  if (own.length === 0) {
    return <Dimmed span>–</Dimmed>;
  }
  return own.map(({ id, name }, index) => (
    <Fragment key={id}>
      {index > 0 && ", "}
      <Anchor component={PageLink} size="sm" to={`teams/${id}`}>
        {name}
      </Anchor>
    </Fragment>
  ));
}
