import { Alert, Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Link, useSearchParams } from "react-router";
import { api, unwrap } from "../../api/client";
import { fieldErrors } from "../../api/problem";
import { ErrorNotice } from "../../components/ErrorNotice";
import { QueryBoundary } from "../../components/QueryBoundary";
import { SignInCard } from "./SignInCard";

/** Requests an emailed link for a new password, or says whom to ask for one. */
export default function ForgotPasswordPage() {
  const offer = useQuery({
    queryKey: ["password-resets"],
    queryFn: () => unwrap(api.GET("/dashboard/api/password-resets")),
    staleTime: 60_000,
  });
  return (
    <SignInCard title="Forgot your password?">
      <Stack>
        <QueryBoundary query={offer}>
          {({ mailed }) => (mailed ? <RequestLink /> : <AskAnAdmin />)}
        </QueryBoundary>
        <Anchor component={Link} to="/sign-in" size="sm">
          Back to sign in
        </Anchor>
      </Stack>
    </SignInCard>
  );
}

function AskAnAdmin() {
  return (
    <Text size="sm">
      Email isn’t set up here. Ask an admin of your organization for a reset link: under Members, they choose
      “Create reset link” next to your name.
    </Text>
  );
}

function RequestLink() {
  const [search] = useSearchParams();
  const [email, setEmail] = useState(search.get("email") ?? "");
  const request = useMutation({
    mutationFn: () => unwrap(api.POST("/dashboard/api/password-resets", { body: { email: email.trim() } })),
  });
  if (request.isSuccess) {
    return (
      <Alert role="status" title="Check your inbox">
        If {email.trim()} has an account here, we’ve sent it a link. It works once and expires after one hour.
      </Alert>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    request.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          We’ll email you a link to set a new password.
        </Text>
        <ErrorNotice error={request.error} fieldPaths={["/email"]} />
        <TextInput
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          autoFocus
          required
          withAsterisk={false}
          value={email}
          error={fieldErrors(request.error).at("/email")}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" loading={request.isPending} fullWidth>
          Email me a link
        </Button>
      </Stack>
    </form>
  );
}
