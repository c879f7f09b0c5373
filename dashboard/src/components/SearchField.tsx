import { TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";

interface Props extends Omit<TextInputProps, "value" | "onChange"> {
  searched: string;
  onSearch: (text: string | null) => void;
}

/** Searches after a pause in typing. */
export function SearchField({ searched, onSearch, ...input }: Props) {
  const [text, setText] = useState(searched);
  const [before, setBefore] = useState(searched);
  if (searched !== before) {
    setBefore(searched);
    // The filters were cleared, or the person went back.
    if (searched !== text.trim()) {
      setText(searched);
    }
  }
  const search = useDebouncedCallback((value: string) => onSearch(value.trim() || null), 300);
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
