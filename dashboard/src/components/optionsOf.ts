/** The choices of a select, from their labels by value. */
export const optionsOf = <T extends string>(labels: Record<T, string>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value: value as T, label }));

export const YES_NO = optionsOf({ true: "Yes", false: "No" });
