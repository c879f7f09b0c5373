import { withFileNames } from "../../components/fileUris";
import { formatDateTime } from "../../components/Time";

const ISO = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g;
/** A date as the service writes it into previews. */
const IN_UTC = /\b(\d{1,2} [A-Z][a-z]{2} \d{4}), (\d\d:\d\d) UTC/g;

/** Formats the dates of a preview as elsewhere, in the time zone of the reader, and shortens files to their names. */
export const readablePreview = (preview: string, format: (at: string) => string = formatDateTime) =>
  withFileNames(preview)
    .replace(ISO, (at) => formatted(at, at, format))
    .replace(IN_UTC, (text, day: string, time: string) => formatted(`${day} ${time} UTC`, text, format));

function formatted(at: string, otherwise: string, format: (at: string) => string): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? otherwise : format(new Date(time).toISOString());
}
