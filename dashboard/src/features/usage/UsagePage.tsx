import { Stack } from "@mantine/core";
import { Page } from "../../components/Page";
import { Budgets } from "./Budgets";
import { ModelUsage } from "./ModelUsage";

/** What models use, and the budgets that limit it. */
export default function UsagePage() {
  return (
    <Page
      title="Usage"
      about="What models use, and the budgets that limit it. Days and months are those of UTC."
    >
      <Stack gap="xl">
        <Budgets />
        <ModelUsage />
      </Stack>
    </Page>
  );
}
