import type { ComponentType } from "react";
import {
  createBrowserRouter,
  Navigate,
  Outlet,
  ScrollRestoration,
  type Location,
  type RouteObject,
} from "react-router";
import { LoadingIndicator } from "./components/QueryBoundary";
import { Frame } from "./layout/Frame";
import { OrganizationLayout } from "./layout/OrganizationLayout";
import { LeaveGuard } from "./components/leaveGuard";
import { PersonalLayout, UnknownPage } from "./layout/PersonalLayout";
import { NotFound } from "./components/NotFound";
import { RouteError } from "./layout/RouteError";
import { SessionDialog } from "./layout/SessionDialog";
import { HomeRedirect, RequireSession } from "./layout/RequireSession";

/** A route whose script is loaded on the first visit. */
function page(path: string, load: () => Promise<{ default: ComponentType }>): RouteObject {
  return { path, lazy: async () => ({ Component: (await load()).default }) };
}

/** Shows errors of these pages, such as a script that cannot be loaded, within the layout. */
function withError(children: RouteObject[]): RouteObject[] {
  return [{ errorElement: <RouteError />, children }];
}

const inOrganization: RouteObject[] = [
  { index: true, element: <Navigate to="overview" replace /> },
  page("overview", () => import("./features/overview/OverviewPage")),
  page("tickets", () => import("./features/tickets/TicketsPage")),
  page("tickets/:ticketId", () => import("./features/tickets/TicketPage")),
  page("conversations", () => import("./features/conversations/ConversationsPage")),
  page("conversations/:conversationId", () => import("./features/conversations/ConversationPage")),
  page("agents", () => import("./features/agents/AgentsPage")),
  page("agents/:workflowId", () => import("./features/agents/EditorPage")),
  page("agents/:workflowId/versions", () => import("./features/agents/VersionsPage")),
  page("runs", () => import("./features/runs/RunsPage")),
  page("runs/compare", () => import("./features/runs/ComparePage")),
  page("runs/:instanceId", () => import("./features/runs/RunPage")),
  page("api-access", () => import("./features/api-access/ApiAccessPage")),
  page("tools", () => import("./features/tools/ToolsPage")),
  page("tools/:toolId", () => import("./features/tools/ToolPage")),
  page("models", () => import("./features/models/ModelsPage")),
  page("code", () => import("./features/code/CodePage")),
  page("code/:artifactId", () => import("./features/code/ArtifactPage")),
  page("data", () => import("./features/data-lakes/DataPage")),
  page("data/:lakeId", () => import("./features/data-lakes/DataLakePage")),
  page("emails", () => import("./features/emails/EmailsPage")),
  page("emails/:emailId", () => import("./features/emails/EmailPage")),
  page("webhooks", () => import("./features/webhooks/WebhooksPage")),
  page("webhooks/:tab", () => import("./features/webhooks/WebhooksPage")),
  page("webhooks/endpoints/:endpointId", () => import("./features/webhooks/EndpointPage")),
  page("webhooks/deliveries/:deliveryId", () => import("./features/webhooks/DeliveryPage")),
  page("members", () => import("./features/members/MembersPage")),
  page("settings", () => import("./features/settings/SettingsPage")),
  page("teams", () => import("./features/teams/TeamsPage")),
  page("teams/:teamId", () => import("./features/teams/TeamPage")),
  page("usage", () => import("./features/usage/UsagePage")),
  page("audit-log", () => import("./features/audit-log/AuditLogPage")),
  { path: "*", element: <NotFound /> },
];

/** Without it, all pages that the browser opens by their address would share one scroll position. */
const scrollKey = ({ key, pathname, search, hash }: Location) =>
  key === "default" ? pathname + search + hash : key;

export const router = createBrowserRouter([
  {
    // New pages open at the top; Back restores the scroll position.
    element: (
      <>
        <Outlet />
        <ScrollRestoration getKey={scrollKey} />
        <LeaveGuard />
        <SessionDialog />
      </>
    ),
    errorElement: <RouteError />,
    hydrateFallbackElement: <LoadingIndicator />,
    children: [
      page("/sign-in", () => import("./features/sign-in/SignInPage")),
      page("/sign-in/done", () => import("./features/sign-in/SignedInPage")),
      page("/forgot-password", () => import("./features/sign-in/ForgotPasswordPage")),
      page("/reset-password", () => import("./features/sign-in/ResetPasswordPage")),
      page("/setup", () => import("./features/sign-in/SetUpPage")),
      page("/docs", () => import("./features/api-docs/ApiDocsPage")),
      page("/invitations/:token", () => import("./features/sign-in/InvitationPage")),
      {
        element: <RequireSession />,
        children: [
          { index: true, element: <HomeRedirect /> },
          {
            element: <PersonalLayout />,
            children: withError([page("/account", () => import("./features/account/AccountPage"))]),
          },
          {
            element: (
              <Frame>
                <Outlet />
              </Frame>
            ),
            children: withError([
              page("/organizations", () => import("./features/organizations/OrganizationsPage")),
            ]),
          },
          {
            path: "/organizations/:orgId",
            element: <OrganizationLayout />,
            children: withError(inOrganization),
          },
        ],
      },
      { path: "*", element: <UnknownPage /> },
    ],
  },
]);
