import { useEffect } from "react";
import { Navigate, Outlet, useLocation } from "react-router";
import { useIsMember, useOrganizationId } from "../api/organization";
import { useMe } from "../api/queries";
import { NotFound } from "../components/NotFound";
import { Frame } from "./Frame";
import { rememberOrganization } from "./lastOrganization";
import { SETTINGS } from "./menuItems";
import { FrameWithoutOrganization } from "./PersonalLayout";

/** The layout of every organization page. */
export function OrganizationLayout() {
  const orgId = useOrganizationId();
  const { data: me } = useMe();
  const { pathname } = useLocation();
  const isMember = useIsMember();
  const settings = `/organizations/${orgId}/${SETTINGS}`;

  useEffect(() => {
    if (isMember) {
      rememberOrganization(orgId);
    }
  }, [orgId, isMember]);

  if (!isMember && !me?.operator) {
    return (
      <FrameWithoutOrganization>
        <NotFound />
      </FrameWithoutOrganization>
    );
  }
  if (!isMember && pathname !== settings) {
    return <Navigate to={settings} replace />;
  }
  return (
    <Frame orgId={orgId}>
      <Outlet key={orgId} />
    </Frame>
  );
}
