import { useMutation, useQuery } from "@tanstack/react-query";
import type { Schemas } from "./client";
import { ApiError } from "./problem";
import { get, post } from "./requests";

export const useSetup = (token?: string) =>
  useQuery({
    queryKey: token === undefined ? ["setup"] : ["setup", token],
    queryFn: () => get("/setup", {}, token ? { token } : undefined),
    ...(token === undefined && { staleTime: 60_000 }),
  });

export const useSetUp = (onSuccess: (user: Schemas["Me"]) => void) =>
  useMutation({ mutationFn: (body: Schemas["FirstUser"]) => post("/setup", {}, body), onSuccess });

/** The OpenID Connect provider of the deployment. */
export const useOidcProvider = () =>
  useQuery({ queryKey: ["oidc"], queryFn: () => get("/oidc", {}), staleTime: 60_000 });

export const useLogin = (onSuccess: (user: Schemas["Me"]) => void) =>
  useMutation({ mutationFn: (body: Schemas["Login"]) => post("/login", {}, body), onSuccess });

/** Ends the session, if there is one. */
export const logOut = () =>
  post("/logout", {}).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 401)) {
      throw error;
    }
  });

/** Whether the deployment can mail links to set a new password. */
export const usePasswordResets = () =>
  useQuery({ queryKey: ["password-resets"], queryFn: () => get("/password-resets", {}), staleTime: 60_000 });

export const useRequestPasswordReset = () =>
  useMutation({ mutationFn: (email: string) => post("/password-resets", {}, { email: email.trim() }) });

export const usePasswordResetLink = (token: string) =>
  useQuery({
    queryKey: ["password-reset", token],
    queryFn: () => post("/password-resets/check", {}, { token }),
    enabled: token !== "",
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

export const useResetPassword = (onSuccess: () => void) =>
  useMutation({
    mutationFn: (body: { token: string; password: string }) => post("/password-resets/complete", {}, body),
    onSuccess,
  });

export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ["invitation", token],
    queryFn: () => get("/invitations/{token}", { token }),
    staleTime: Infinity,
    gcTime: 0,
  });

export const useAcceptInvitation = (token: string) =>
  useMutation({
    mutationFn: (password: string | null) => post("/invitations/{token}", { token }, { password }),
  });
