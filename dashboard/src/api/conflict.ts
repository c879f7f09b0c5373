import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { unwrap } from "./client";
import { ApiError } from "./problem";

/** The last change of a resource. */
export interface Change {
  by: string;
  at: string;
}

export type Tagged<T> = T & { etag: string };

/**
 * The tag as the service made it: proxies that compress make it weak or append the coding, but only to some responses.
 * Empty if a proxy has removed it; the client then refuses to save.
 */
export const tagOf = (header: string | null): string =>
  (header ?? "").replace(/^W\//, "").replace(/(--?|;)(gzip|br|zstd|deflate)(?="?$)/, "");

/** Returns the body of a call with the response's `ETag`, for `If-Match`. */
export async function unwrapTagged<T extends object>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<Tagged<T>> {
  const data = await unwrap(call);
  const { response } = await call;
  return { ...data, etag: tagOf(response.headers.get("ETag")) };
}

/** Whether the request was refused because another person has changed the resource. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 412;

const POLL_MS = 30_000;

export interface Conflict<T> {
  /** The version of another person that is newer than the one being edited. */
  theirs: Tagged<T> | null;
  change: Change | null;
  /** Whether the user has to choose, because saving was refused or the user asked. */
  open: boolean;
  show: () => void;
  /** Reads the newest version after a 412 and shows the dialog. */
  refused: () => Promise<void>;
  /** For the mutation that saves. */
  onError: (error: unknown) => void;
  close: () => void;
}

/** The time and author of the last change; a version of code has only its creator. */
interface Changed {
  updated_at?: string | null;
  updated_by?: string;
  created_by?: string;
}

const changeOf = ({ updated_at, updated_by, created_by }: Changed): Change => ({
  by: updated_by ?? created_by ?? "",
  at: updated_at ?? "",
});

/**
 * Notices that another person has saved the resource that this page edits: now and then, when the window gets the
 * focus, and when saving is refused.
 *
 * @param edited the version that the page edits; answers that are older are ignored
 */
export function useConflict<T extends Changed>(
  queryKey: unknown[],
  loaded: Tagged<T>,
  read: () => Promise<Tagged<T>>,
  edited: Tagged<Changed> = loaded,
): Conflict<T> {
  const [open, setOpen] = useState(false);
  const latest = useQuery({
    queryKey,
    queryFn: read,
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: "always",
    initialData: loaded,
    staleTime: POLL_MS,
    gcTime: 0,
  });
  const found = latest.data;
  const isNewer = found.etag !== edited.etag && changeOf(found).at >= changeOf(edited).at;
  const theirs = isNewer ? found : null;
  const { refetch } = latest;
  const refused = async () => {
    setOpen(true);
    await refetch({ cancelRefetch: true });
  };
  return {
    theirs,
    change: theirs && changeOf(theirs),
    open: open && theirs !== null,
    show: () => setOpen(true),
    refused,
    onError: (error) => {
      if (isConflict(error)) {
        void refused();
      }
    },
    close: () => setOpen(false),
  };
}
