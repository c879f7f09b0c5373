import { Navigate, Outlet, useLocation } from "react-router";
import { useMe } from "../api";
import { QueryBoundary } from "../components/QueryBoundary";
import { useHomeOrganization } from "../components/lastOrganization";

/** Guards the routes below it: without a session, users sign in first and then return here. */
export function RequireSession() {
  const me = useMe();
  const { pathname, search } = useLocation();
  const currentUrl = pathname + search;
  return (
    <QueryBoundary query={me}>
      {(person) =>
        person ? (
          <Outlet />
        ) : (
          <Navigate
            to={currentUrl === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(currentUrl)}`}
            replace
          />
        )
      }
    </QueryBoundary>
  );
}

/** Redirects to the organization that the user visited last. */
export function HomeRedirect() {
  const home = useHomeOrganization();
  return <Navigate to={home ? `/organizations/${home.id}` : "/organizations"} replace />;
}
