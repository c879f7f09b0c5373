import { useEffect } from "react";
import { useLocation } from "react-router";
import { useMe } from "../api";
import { browserStorage, draftKey, readDraft, writeDraft } from "./localDrafts";

/** A page that the user visited, with its title. */
export interface RecentPage {
  path: string;
  title: string;
}

const MAX_PAGES = 8;
const DETAIL_PAGE =
  /^\/organizations\/([0-9a-f]{32})\/(?:agents|tickets|runs|conversations|tools|code|data)\/(?!compare$)[^/]+$/;

/** Signing out removes drafts, and so these pages. */
const keyOf = (userId: string, orgId: string) => draftKey(userId, orgId, "recent-pages");

export function recentPages(userId: string, orgId: string): RecentPage[] {
  return readDraft<RecentPage[]>(browserStorage(), keyOf(userId, orgId), Date.now())?.value ?? [];
}

/** The pages after a visit: the latest first, each once. */
export function withVisit(pages: RecentPage[], visit: RecentPage): RecentPage[] {
  return [visit, ...pages.filter((each) => each.path !== visit.path)].slice(0, MAX_PAGES);
}

/** Remembers a visit of an agent, a ticket, a run or another single thing, for the command palette. */
export function useRecordVisit(title: string) {
  const { pathname } = useLocation();
  const { data: me } = useMe();
  const userId = me?.id;
  useEffect(() => {
    const orgId = DETAIL_PAGE.exec(pathname)?.[1];
    if (userId && orgId) {
      const pages = withVisit(recentPages(userId, orgId), { path: pathname, title });
      writeDraft(browserStorage(), keyOf(userId, orgId), pages, Date.now());
    }
  }, [pathname, userId, title]);
}
