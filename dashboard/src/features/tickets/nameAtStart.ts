import { capitalized } from "../../components/capitalized";

/** A name at the start of a line: "You", "An API key", "Jonas". */
export const nameAtStart = (name: string) => (/^(you|an?)\b/.test(name) ? capitalized(name) : name);
