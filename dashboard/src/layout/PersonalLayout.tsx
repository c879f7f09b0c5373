import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { FrameOrganization, useMe } from "../api";
import { NotFound } from "../components/NotFound";
import { QueryBoundary } from "../components/QueryBoundary";
import { Frame } from "./Frame";
import { useHomeOrganization } from "../components/lastOrganization";

/** The layout of the user's own pages; the menu is that of the organization visited last. */
export function PersonalLayout() {
  return (
    <FrameWithoutOrganization>
      <Outlet />
    </FrameWithoutOrganization>
  );
}

export function FrameWithoutOrganization({ children }: { children: ReactNode }) {
  const home = useHomeOrganization()?.id;
  return (
    <FrameOrganization value={home}>
      <Frame orgId={home}>{children}</Frame>
    </FrameOrganization>
  );
}

/** For unknown URLs: within the frame if the user is signed in. */
export function UnknownPage() {
  const me = useMe();
  return (
    <QueryBoundary query={me}>
      {(person) =>
        person ? (
          <FrameWithoutOrganization>
            <NotFound />
          </FrameWithoutOrganization>
        ) : (
          <main>
            <NotFound />
          </main>
        )
      }
    </QueryBoundary>
  );
}
