import type { ComponentProps } from "react";
import { Link } from "react-router";
import { useOrganizationId } from "../api";

/** A link to a page of the organization, such as "teams/7". */
export function PageLink({ to, ...props }: ComponentProps<typeof Link> & { to: string }) {
  return <Link to={`/organizations/${useOrganizationId()}/${to}`} {...props} />;
}
