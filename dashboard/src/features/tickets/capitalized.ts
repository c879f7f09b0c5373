/** A name at the start of a line: "You", "An API key", "Jonas". */
export const capitalized = (name: string) =>
  /^(you|an?)\b/.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : name;
