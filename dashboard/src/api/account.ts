import { useQuery } from "@tanstack/react-query";
import { queryClient } from "./queryClient";
import type { Schemas } from "./client";
import { ApiError } from "./problem";
import { setSessionUser } from "./session";
import { useChange, type Reactions } from "./hooks";
import { get, patch, post, remove } from "./requests";

/** The signed-in user; null without a session. */
export function useMe() {
  return useQuery({
    queryKey: ["me"],
    queryFn: async (): Promise<Schemas["Me"] | null> => {
      try {
        const me = await get("/me", {});
        setSessionUser(me);
        return me;
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) {
          return null;
        }
        throw error;
      }
    },
    staleTime: 60_000,
  });
}

export const useRenameMe = (reactions: Reactions<unknown, { name: string }>) =>
  useChange({
    send: ({ name }) => patch("/me", {}, { name: name.trim() }),
    outdated: [[]],
    ...reactions,
  });

const SESSIONS = ["sessions"];

/** Ends the user's other sessions. */
export const useChangePassword = (
  reactions: Reactions<unknown, { current_password: string; new_password: string }>,
) => useChange({ send: (body) => post("/me/password", {}, body), outdated: [SESSIONS], ...reactions });

export const useSessions = () => useQuery({ queryKey: SESSIONS, queryFn: () => get("/me/sessions", {}) });

const onSettled = () => queryClient.invalidateQueries({ queryKey: SESSIONS });

export const useEndSession = () =>
  useChange({ send: (sessionId: string) => remove("/me/sessions/{sessionId}", { sessionId }), onSettled });

export const useEndOtherSessions = (reactions: Reactions<unknown, void>) =>
  useChange({ send: () => remove("/me/sessions", {}), onSettled, ...reactions });

type Emails = Schemas["TicketEmails"];

const EMAILS = ["ticket-emails"];

const showSwitch = (kind: keyof Emails, on: boolean) => {
  queryClient.setQueryData<Emails>(EMAILS, (before) => before && { ...before, [kind]: on });
};

/** The kinds of ticket emails that the user gets. */
export const useTicketEmails = () => useQuery({ queryKey: EMAILS, queryFn: () => get("/me/emails", {}) });

/** Shows the change at once. */
export const useSwitchTicketEmails = () =>
  useChange({
    send: ({ kind, on }: { kind: keyof Emails; on: boolean }) => patch("/me/emails", {}, { [kind]: on }),
    done: "Emails updated.",
    onMutate: ({ kind, on }) => showSwitch(kind, on),
    onError: (_, { kind, on }) => showSwitch(kind, !on),
  });
