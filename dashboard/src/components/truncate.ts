/** The beginning of a text, without half a surrogate pair at its end. */
export const truncate = (text: string, length: number) =>
  text.length > length ? text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "") : text;
