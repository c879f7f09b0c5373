import { Tabs } from "@mantine/core";
import { useParams } from "react-router";
import { useIsAdmin } from "../../api";
import { Page } from "../../components/Page";
import { useGoTo } from "../../components/PageLink";
import { Deliveries } from "./Deliveries";
import { Endpoints } from "./Endpoints";
import { SigningSecret } from "./SigningSecret";

const TABS = ["endpoints", "deliveries", "secret"] as const;

export default function WebhooksPage() {
  const isAdmin = useIsAdmin();
  const params = useParams();
  const tab = TABS.find((each) => each === params.tab) ?? TABS[0];
  const goTo = useGoTo();
  return (
    <Page
      title="Webhooks"
      about="Send signed events (Standard Webhooks) about conversations, runs and tickets to your servers."
    >
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => goTo(`webhooks/${value}`, { replace: true })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="endpoints">Endpoints</Tabs.Tab>
          <Tabs.Tab value="deliveries">Deliveries</Tabs.Tab>
          {isAdmin && <Tabs.Tab value="secret">Secret</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="endpoints">
          <Endpoints isAdmin={isAdmin} />
        </Tabs.Panel>
        <Tabs.Panel value="deliveries">
          <Deliveries isAdmin={isAdmin} />
        </Tabs.Panel>
        <Tabs.Panel value="secret">
          <SigningSecret />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
