import type { FocusEvent } from "react";

/** Props of a Select for the keyboard: typing replaces the chosen text and finds an option, which Enter chooses. */
export const SEARCHABLE = {
  searchable: true,
  selectFirstOptionOnChange: true,
  onFocus: (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select(),
} as const;
