import { Tooltip } from "@mantine/core";

const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const short = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

function ago(at: Date): string {
  const seconds = Math.round((at.getTime() - Date.now()) / 1000);
  const [unit, size] = STEPS.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", 1];
  return relative.format(Math.trunc(seconds / size), unit);
}

interface Props {
  at: string | null | undefined;
  /** What to say when there is no time. */
  none?: string;
  /** "3 min. ago" instead of date and time. */
  relative?: boolean;
  seconds?: boolean;
}

/** A moment in local time, in UTC when pointed at. */
export function Time({ at, none = "–", relative: isRelative = false, seconds = false }: Props) {
  if (!at) {
    return <>{none}</>;
  }
  const date = new Date(at);
  return (
    <Tooltip label={utc(at)}>
      <time dateTime={at}>{isRelative ? ago(date) : (seconds ? full : short).format(date)}</time>
    </Tooltip>
  );
}

/** A moment in UTC, as it is told when the local time is pointed at. */
export const utc = (at: string) => `${new Date(at).toISOString().replace("T", " ").replace("Z", "")} UTC`;

/** A moment in local time, for places that hold text alone. */
export const moment = (at: string) => short.format(new Date(at));

/** "420 ms", "3.2 s", "4 min 10 s". */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) {
    return `${Math.max(0, Math.round(milliseconds))} ms`;
  }
  const seconds = milliseconds / 1000;
  if (seconds < 60) {
    return `${seconds.toFixed(1)} s`;
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.floor(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
