import { Group, Select, type ComboboxItem, type SelectProps } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

interface Props extends Omit<SelectProps<string>, "data" | "filter" | "renderOption"> {
  data: ComboboxItem[];
  /** The last option, which creates something to choose. */
  createLabel: string;
  /** Without it, the option is absent. */
  onCreate: (() => void) | undefined;
}

/** The value of the last option; all others are numbers. */
const CREATE = "create";

/** A searchable list whose last option creates a new item. Searching keeps that option. */
export function SelectOrCreate({ data, createLabel, onCreate, onChange, ...props }: Props) {
  return (
    <Select
      {...props}
      searchable
      // The dialog that creates an item returns the focus.
      openOnFocus={false}
      data={onCreate ? [...data, { value: CREATE, label: createLabel }] : data}
      filter={({ options, search }) =>
        options.filter(
          (each) => "value" in each && (each.value === CREATE || contains(each.label, search.trim())),
        )
      }
      renderOption={({ option }) =>
        option.value === CREATE ? (
          <Group gap={6} fw={600}>
            <IconPlus size={14} aria-hidden />
            {createLabel}
          </Group>
        ) : (
          option.label
        )
      }
      onChange={(value, option) => {
        if (value === CREATE) {
          onCreate?.();
        } else {
          onChange?.(value, option);
        }
      }}
    />
  );
}

const contains = (text: string, searched: string) => text.toLowerCase().includes(searched.toLowerCase());
