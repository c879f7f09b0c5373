/** What pages say of a password that is chosen. */
export const passwordHint = "At least 8 characters";
