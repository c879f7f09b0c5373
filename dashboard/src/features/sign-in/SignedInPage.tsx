import { Button, Text } from "@mantine/core";
import { SignInCard } from "./SignInCard";

/** Where the identity provider returns to after a sign-in in a new tab, while another tab waits. */
export default function SignedInPage() {
  return (
    <SignInCard title="You’re signed in">
      <Text mb="md">Close this tab to continue where you were.</Text>
      <Button onClick={() => window.close()}>Close this tab</Button>
    </SignInCard>
  );
}
