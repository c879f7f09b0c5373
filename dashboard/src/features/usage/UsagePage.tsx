import { Stack } from "@mantine/core";
import { Page } from "../../components/Page";
import { Budgets } from "./Budgets";
import { ModelUsage } from "./ModelUsage";

/** The usage of models and the budgets that limit it. */
export default function UsagePage() {
  return (
    <Page
      title="Usage"
      about="Calls, tokens and cost of models, and the budgets that limit them. Days and months are in UTC."
    >
      <Stack gap="xl">
        <Budgets />
        <ModelUsage />
      </Stack>
    </Page>
  );
}
