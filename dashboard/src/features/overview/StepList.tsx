import { List, Text, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { TextLink } from "../../components/PageLink";

/** A step of a person who is new: a link, and the rest of its sentence. */
export interface Step {
  icon: ReactNode;
  to: string;
  label: string;
  rest: string;
  done?: boolean;
}

/** Steps in the organization, whose pages their links lead to. */
export function StepList({ steps }: { steps: Step[] }) {
  return (
    <List spacing="sm" center listStyleType="none" styles={{ itemWrapper: { lineHeight: 1.45 } }}>
      {steps.map((step) => (
        <List.Item key={step.label} icon={step.icon} styles={{ itemIcon: { display: "flex" } }}>
          {step.done && <VisuallyHidden>Done: </VisuallyHidden>}
          <TextLink to={step.to}>{step.label}</TextLink>{" "}
          <Text span inherit c="dimmed">
            {step.rest}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}
