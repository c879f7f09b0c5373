/** The hint at every field for a new password. */
export const passwordHint = "At least 8 characters";
