import type { TextInputProps } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { useGoTo } from "../../components/PageLink";
import { SearchField } from "../../components/SearchField";

/** Searches while the user types. Enter opens a conversation by an ID from a log or an API response. */
export function ConversationSearch(field: TextInputProps) {
  const goTo = useGoTo();
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const id = event.currentTarget.value.trim().replaceAll("-", "").toLowerCase();
    if (event.key === "Enter" && /^[0-9a-f]{32}$/.test(id)) {
      void goTo(`conversations/${id}`);
    }
  };
  return (
    <SearchField
      param="q"
      aria-label="Search"
      placeholder="Title, text or ID"
      maxLength={100}
      {...field}
      onKeyDown={onKeyDown}
    />
  );
}
