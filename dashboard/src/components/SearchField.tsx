import { TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useFilters } from "./useFilters";

interface Props extends Omit<TextInputProps, "value" | "onChange"> {
  /** The parameter of the URL that holds the text. */
  param?: string;
  /** A parameter that a new text removes, such as that of the page. */
  resets?: string;
}

/** Searches after a pause in typing. */
export function SearchField({ param = "search", resets, ...input }: Props) {
  const filters = useFilters();
  const searched = filters.get(param) ?? "";
  const [text, setText] = useState(searched);
  const [before, setBefore] = useState(searched);
  if (searched !== before) {
    setBefore(searched);
    // The filters were cleared, or the person went back.
    if (searched !== text.trim()) {
      setText(searched);
    }
  }
  const search = useDebouncedCallback(
    (value: string) => filters.setAll({ [param]: value.trim() || null, ...(resets && { [resets]: null }) }),
    300,
  );
  return (
    <TextInput
      type="search"
      leftSection={<IconSearch size={16} aria-hidden />}
      {...input}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
