import { Navigate, Outlet, useLocation } from "react-router";
import { useMe } from "../api/queries";
import { Loaded } from "../parts/Loaded";
import { lastOrganization } from "./lastOrganization";

/** Everything below needs a session; without one people sign in first and then come back here. */
export function SignedIn() {
  const me = useMe();
  const { pathname, search } = useLocation();
  const here = pathname + search;
  return (
    <Loaded query={me}>
      {(person) =>
        person ? (
          <Outlet />
        ) : (
          <Navigate to={here === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(here)}`} replace />
        )
      }
    </Loaded>
  );
}

/** The start page: the organization where the person was last. */
export function Home() {
  const { data: me } = useMe();
  const organizations = me?.organizations ?? [];
  const last = organizations.find((each) => each.id === lastOrganization()) ?? organizations[0];
  return <Navigate to={last ? `/organizations/${last.id}` : "/organizations"} replace />;
}
