import { api, unwrap } from "./client";
import { unwrapTagged, type Tagged } from "./conflict";
import type { paths } from "./schema";

type Method = "get" | "post" | "put" | "patch" | "delete";

/** Paths in an organization have no prefix, such as "teams/{teamId}"; all others begin with a slash. */
type Short<P> = P extends `/dashboard/api/organizations/{orgId}/${infer Rest}`
  ? Rest
  : P extends `/dashboard/api${infer Rest}`
    ? Rest
    : never;
type Long<P extends string> = P extends `/${string}`
  ? `/dashboard/api${P}`
  : `/dashboard/api/organizations/{orgId}/${P}`;

export type Path<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? Short<P> : never;
}[keyof paths];
type Operation<M extends Method, P extends string> = P extends string
  ? Long<P> extends keyof paths
    ? paths[Long<P>][M]
    : never
  : never;

type Params<O> = O extends { parameters: { path: infer T extends object } } ? T : Record<string, never>;
type Query<O> = O extends { parameters: { query?: infer T } } ? NonNullable<T> : never;
type Json<T> = T extends { content: { "application/json": infer J } } ? J : undefined;
type Result<O> = O extends { responses: infer R } ? Json<R[keyof R & (200 | 201 | 202 | 204)]> : never;

interface Extras<O> {
  query?: Query<O>;
  /** The version that the change applies to. */
  etag?: string;
  signal?: AbortSignal;
  keepalive?: boolean;
}

type BodyAndExtras<O> = O extends { requestBody: { content: { "application/json": infer B } } }
  ? [body: B, extras?: Extras<O>]
  : O extends { requestBody?: { content: { "application/json": infer B } } }
    ? [body?: B | null, extras?: Extras<O>]
    : [body?: undefined, extras?: Extras<O>];

/** The body of a request. */
export type RequestBody<M extends Method, P extends Path<M>> = NonNullable<BodyAndExtras<Operation<M, P>>[0]>;

/** The query of a request that reads something. */
export type RequestQuery<P extends Path<"get">> = Query<Operation<"get", P>>;

export type PathParams<P extends Path<"get">> = Params<Operation<"get", P>>;
export type Read<P extends Path<"get">> = Result<Operation<"get", P>>;

type Call = Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** The paths' types are checked by the functions below. */
const send = api.request as unknown as (method: Method, path: string, init: object) => Call;

function call(
  method: Method,
  path: string,
  params: object,
  body: unknown,
  extras: Extras<unknown> = {},
): Call {
  const { query, etag, ...init } = extras;
  const prefix = path.startsWith("/") ? "/dashboard/api" : "/dashboard/api/organizations/{orgId}/";
  const header = etag === undefined ? {} : { "If-Match": etag };
  return send(method, prefix + path, { params: { path: params, query, header }, body, ...init });
}

/** Returns the body of a response, or throws an `ApiError`. */
export const get = <P extends Path<"get">>(
  path: P,
  params: Params<Operation<"get", P>>,
  query?: Query<Operation<"get", P>>,
  signal?: AbortSignal,
) =>
  unwrap(call("get", path, params, undefined, { query, signal } as object)) as Promise<
    Result<Operation<"get", P>>
  >;

/** The body with its tag, for a change that must not overwrite that of another person. */
export const getTagged = <P extends Path<"get">>(path: P, params: Params<Operation<"get", P>>) =>
  unwrapTagged(call("get", path, params, undefined) as never) as Promise<Tagged<Result<Operation<"get", P>>>>;

const change =
  <M extends Method>(method: M) =>
  <P extends Path<M>>(path: P, params: Params<Operation<M, P>>, ...more: BodyAndExtras<Operation<M, P>>) =>
    unwrap(call(method, path, params, ...(more as unknown as [unknown]))) as Promise<Result<Operation<M, P>>>;

const changeTagged =
  <M extends Method>(method: M) =>
  <P extends Path<M>>(path: P, params: Params<Operation<M, P>>, ...more: BodyAndExtras<Operation<M, P>>) =>
    unwrapTagged(call(method, path, params, ...(more as unknown as [unknown])) as never) as Promise<
      Tagged<Result<Operation<M, P>>>
    >;

export const post = change("post");
export const put = change("put");
export const patch = change("patch");
export const remove = change("delete");
export const putTagged = changeTagged("put");
export const patchTagged = changeTagged("patch");
