import { Anchor, List, Text, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";

/** A step of a person who is new: a link, and the rest of its sentence. */
export interface Step {
  icon: ReactNode;
  to: string;
  label: string;
  rest: string;
  done?: boolean;
}

/** Steps in the organization, whose pages their links lead to. */
export function StepList({ orgId, steps }: { orgId: string; steps: Step[] }) {
  return (
    <List spacing="sm" center listStyleType="none" styles={{ itemWrapper: { lineHeight: 1.45 } }}>
      {steps.map((step) => (
        <List.Item key={step.label} icon={step.icon} styles={{ itemIcon: { display: "flex" } }}>
          {step.done && <VisuallyHidden>Done: </VisuallyHidden>}
          <Anchor component={Link} inherit to={`/organizations/${orgId}/${step.to}`}>
            {step.label}
          </Anchor>{" "}
          <Text span inherit c="dimmed">
            {step.rest}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}
