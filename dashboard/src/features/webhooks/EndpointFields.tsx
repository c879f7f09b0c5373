import { Anchor, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { Schemas } from "../../api";
import { EVENT_TYPES } from "./eventTypes";

export interface EndpointValues {
  url: string;
  description: string;
  event_types: Schemas["EventType"][];
}

type EndpointForm = Pick<UseFormReturnType<EndpointValues>, "getInputProps" | "setValues" | "values">;

/** The URL, description and events of an endpoint. */
export function EndpointFields({ form }: { form: EndpointForm }) {
  const hasAll = form.values.event_types.length === EVENT_TYPES.length;
  return (
    <>
      <TextInput
        label="URL"
        placeholder="https://example.com/hooks"
        required
        data-autofocus
        {...form.getInputProps("url")}
      />
      <TextInput label="Description" maxLength={500} {...form.getInputProps("description")} />
      <Checkbox.Group label="Events" {...form.getInputProps("event_types")}>
        <Stack gap="xs" mt="xs">
          {EVENT_TYPES.map((type) => (
            <Checkbox key={type} value={type} label={type} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Group>
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => form.setValues({ event_types: hasAll ? [] : [...EVENT_TYPES] })}
        >
          {hasAll ? "Clear all events" : "Select all events"}
        </Anchor>
      </Group>
    </>
  );
}
