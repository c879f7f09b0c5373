import { TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState, type KeyboardEvent } from "react";
import { useNavigate } from "react-router";

interface Props extends Omit<TextInputProps, "value" | "onChange"> {
  orgId: string;
  value: string;
  onChange: (value: string | null) => void;
}

/** Searches while the user types. Enter opens a conversation by an ID from a log or an API response. */
export function ConversationSearch({ orgId, value, onChange, ...input }: Props) {
  const [text, setText] = useState(value);
  const navigate = useNavigate();
  const search = useDebouncedCallback((next: string) => onChange(next.trim() || null), 300);
  const onKeyDown = (event: KeyboardEvent) => {
    const id = text.trim().replaceAll("-", "").toLowerCase();
    if (event.key === "Enter" && /^[0-9a-f]{32}$/.test(id)) {
      void navigate(`/organizations/${orgId}/conversations/${id}`);
    }
  };
  return (
    <TextInput
      type="search"
      aria-label="Search"
      placeholder="Title, text or ID"
      maxLength={100}
      leftSection={<IconSearch size={16} />}
      {...input}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
      onKeyDown={onKeyDown}
    />
  );
}
