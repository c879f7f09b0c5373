import { useEffect } from "react";
import { Navigate, Outlet, useLocation } from "react-router";
import { ApiError, useIsMember, useMe, useOrganization, useOrganizationId } from "../api";
import { NotFound } from "../components/NotFound";
import { LoadingIndicator } from "../components/QueryBoundary";
import { Frame } from "./Frame";
import { rememberOrganization } from "../components/lastOrganization";
import { SETTINGS } from "./menuItems";
import { FrameWithoutOrganization } from "./PersonalLayout";

/** The layout of every organization page. */
export function OrganizationLayout() {
  const orgId = useOrganizationId();
  const { data: me } = useMe();
  const { pathname } = useLocation();
  const isMember = useIsMember();
  const settings = `/organizations/${orgId}/${SETTINGS}`;

  // An operator may open the settings of every organization that exists.
  const { error, isLoading } = useOrganization({ enabled: !isMember && me?.operator === true });
  const isUnknown = error instanceof ApiError && error.status === 404;

  useEffect(() => {
    if (isMember) {
      rememberOrganization(orgId);
    }
  }, [orgId, isMember]);

  if (!isMember && (isUnknown || isLoading || !me?.operator)) {
    return (
      <FrameWithoutOrganization>{isLoading ? <LoadingIndicator /> : <NotFound />}</FrameWithoutOrganization>
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
