import { Anchor, type AnchorProps } from "@mantine/core";
import type { ComponentProps } from "react";
import { Link, useNavigate, type NavigateOptions } from "react-router";
import { useOrganizationId } from "../api";

type Props = ComponentProps<typeof Link> & { to: string };

/** A link to a page of the organization, such as "teams/7"; other pages begin with a slash. */
export const PageLink = (props: Props) =>
  props.to.startsWith("/") ? <Link {...props} /> : <OrganizationLink {...props} />;

const OrganizationLink = ({ to, ...props }: Props) => (
  <Link to={`/organizations/${useOrganizationId()}/${to}`} {...props} />
);

/** Opens a page of the organization, such as "teams/7". */
export function useGoTo() {
  const orgId = useOrganizationId();
  const navigate = useNavigate();
  return (page: string, options?: NavigateOptions) => navigate(`/organizations/${orgId}/${page}`, options);
}

/** A `PageLink` within a text. */
export const TextLink = (props: AnchorProps & Props) => <Anchor component={PageLink} inherit {...props} />;

/** The `PageLink` of a row in a list, which a click on the row opens. */
export const RowLink = (props: Props) => <PageLink className="rowLink" {...props} />;

/** A link within a text to a page of any organization or of none. */
export const InlineLink = (props: AnchorProps & ComponentProps<typeof Link>) => (
  <Anchor component={Link} inherit {...props} />
);
