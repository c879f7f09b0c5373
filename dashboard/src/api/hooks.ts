import { notifications } from "@mantine/notifications";
import {
  useMutation,
  useQuery,
  type QueryKey,
  type UseMutationOptions,
  type UseQueryOptions,
} from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { useParams } from "react-router";
import { queryClient } from "./queryClient";
import { fetchAllPages, usePagedQuery, type Page, type PageOptions } from "./pagination";
import { get, type Path, type PathParams, type Read, type RequestQuery } from "./requests";

/** The organization of the frame around pages that belong to none, such as the account. */
export const FrameOrganization = createContext<string | undefined>(undefined);

/** The organization ID of the frame around a page that belongs to none, or else that in the URL. */
export function useOrganizationId(): string {
  const { orgId } = useParams();
  const ofFrame = useContext(FrameOrganization);
  const found = ofFrame ?? orgId;
  if (!found) {
    throw new Error("useOrganizationId needs a route below /organizations/:orgId");
  }
  return found;
}

/** The key of queries of an organization. */
export const organizationKey = (orgId: string, ...key: readonly unknown[]) => ["organization", orgId, ...key];

/** Refetches the queries of an organization whose keys begin with these. */
export const refetch = (orgId: string, ...keys: (string | readonly unknown[])[]) =>
  Promise.all(
    keys.map((key) => queryClient.invalidateQueries({ queryKey: organizationKey(orgId, ...[key].flat()) })),
  );

export type QueryOptions<T, S = T> = Omit<UseQueryOptions<T, Error, S>, "queryKey" | "queryFn">;

/** A query of the organization of the page, for what is more than one request. */
export function useOrganizationQuery<T, S = T>(
  key: readonly unknown[],
  load: (orgId: string) => Promise<T>,
  options: QueryOptions<T, S> = {},
) {
  const orgId = useOrganizationId();
  return useQuery({ queryKey: organizationKey(orgId, ...key), queryFn: () => load(orgId), ...options });
}

/** As `get`. The compiler gives up on the types of all paths at once; the signatures below check them. */
const load = get as unknown as (path: string, params: object, query?: object) => Promise<never>;

const loadAll = (path: string, params: object, query?: object, limit = 100): Promise<never[]> =>
  fetchAllPages<never>((after) => load(path, params, { ...query, limit, after }));

const inOrganization = (orgId: string, params: object): object => ({ orgId, ...params });

type OwnParams<P extends Path<"get">> = Omit<PathParams<P>, "orgId">;

/** The items of a list. */
type Item<P extends Path<"get">> = Read<P> extends Page<infer T> ? T : never;

type ReadOptions<P extends Path<"get">, T, S> = QueryOptions<T, S> & { query?: RequestQuery<P> };

/** Reads something of the organization of the page. */
export function useRead<P extends Path<"get">, S = Read<P>>(
  path: P,
  params: OwnParams<P>,
  key: readonly unknown[],
  { query, ...options }: ReadOptions<P, Read<P>, S> = {},
) {
  return useOrganizationQuery<Read<P>, S>(
    key,
    (orgId) => load(path, inOrganization(orgId, params), query as never),
    options as QueryOptions<Read<P>, S>,
  );
}

/** A list that loads more pages on demand. */
export function usePages<P extends Path<"get">>(
  path: P,
  params: OwnParams<P>,
  key: readonly unknown[],
  { query, limit = 50, ...options }: PageOptions<Item<P>> & { query?: RequestQuery<P>; limit?: number } = {},
) {
  const orgId = useOrganizationId();
  const given: object = query as never;
  return usePagedQuery<Item<P>>(
    organizationKey(orgId, ...key),
    (after) => load(path, inOrganization(orgId, params), { ...given, limit, after }),
    options,
  );
}

/** All items of a list, for pickers and for names. */
export function useAll<P extends Path<"get">, S = Item<P>[]>(
  path: P,
  params: OwnParams<P>,
  key: readonly unknown[],
  { query, ...options }: ReadOptions<P, Item<P>[], S> = {},
) {
  return useOrganizationQuery<Item<P>[], S>(
    key,
    (orgId) => loadAll(path, inOrganization(orgId, params), query as never),
    options as QueryOptions<Item<P>[], S>,
  );
}

/** All items of a list, page after page. */
export const readAll = <P extends Path<"get">>(
  path: P,
  params: PathParams<P>,
  query?: RequestQuery<P>,
  limit?: number,
): Promise<Item<P>[]> => loadAll(path, params as never, query as never, limit);

export interface Reactions<T, V> extends Omit<UseMutationOptions<T, Error, V>, "mutationFn"> {
  /** The notification of success. */
  done?: string | ((result: T, variables: V) => string);
  /** The title of the notification of an error that the page does not show itself. */
  failed?: string;
}

interface Change<T, V> extends Reactions<T, V> {
  send: (variables: V) => Promise<T>;
  /** The keys of the queries to refetch after success. */
  outdated?: QueryKey[];
}

/** A mutation that notifies the user and refetches what it has changed. */
export function useChange<T, V = void>({ send, done, failed, outdated = [], ...reactions }: Change<T, V>) {
  return useMutation<T, Error, V>({
    mutationFn: send,
    ...reactions,
    onSuccess: async (...args) => {
      const [result, variables] = args;
      if (done !== undefined) {
        notifications.show({ message: typeof done === "string" ? done : done(result, variables) });
      }
      await reactions.onSuccess?.(...args);
      await Promise.all(outdated.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
    onError: (...args) => {
      if (failed !== undefined) {
        notifications.show({ title: failed, message: args[0].message, color: "red" });
      }
      return reactions.onError?.(...args);
    },
  });
}

/** A hook for a change of one thing, whose ID is the hook's first argument. */
export const itemChange = <I, T, V = void>(
  send: (orgId: string, id: I, variables: V) => Promise<T>,
  ...outdated: (string | readonly unknown[])[]
) =>
  function useItemChange(id: I, reactions: Reactions<T, V> = {}) {
    const orgId = useOrganizationId();
    return useChange({
      send: (variables: V) => send(orgId, id, variables),
      outdated: outdated.map((key) => organizationKey(orgId, ...[key].flat())),
      ...reactions,
    });
  };

/** A hook for a change in the organization of the page, after which the queries with these keys are refetched. */
export function organizationChange<T, V = void>(
  send: (orgId: string, variables: V) => Promise<T>,
  ...outdated: (string | readonly unknown[])[]
) {
  const useSend = itemChange((orgId, _: void, variables: V) => send(orgId, variables), ...outdated);
  return function useOrganizationChange(reactions?: Reactions<T, V>) {
    return useSend(undefined, reactions);
  };
}
