import { Tooltip } from "@mantine/core";
import { useSyncExternalStore } from "react";

const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const short = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** Older times are easier to read as dates. */
const MAX_RELATIVE_SECONDS = 7 * 86_400;

/** Clocks that differ by this much put what has just happened into the future. */
const CLOCK_SKEW_SECONDS = 5;

/** Formats a time as "3 min ago", or as a date if it is more than a week away. */
export function ago(at: Date, now = Date.now()): string {
  const seconds = Math.round((at.getTime() - now) / 1000);
  if (Math.abs(seconds) > MAX_RELATIVE_SECONDS) {
    return day.format(at);
  }
  // Seconds that count up distract.
  if (seconds > -60 && seconds < CLOCK_SKEW_SECONDS) {
    return "just now";
  }
  const [unit, size] = STEPS.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", 1];
  // A deadline 47 hours away is "in 2 days"; what was 47 hours ago is "yesterday".
  const text = relative.format(seconds > 0 ? Math.round(seconds / size) : Math.trunc(seconds / size), unit);
  // Durations have no periods either, and a sentence may end here.
  return text.replace(/(?<=\p{L})\./gu, "");
}

const TICK_MS = 1_000;
const listeners = new Set<() => void>();
let ticking: number | undefined;

/** Calls the listener every second. All share one timer, so that equal times change at once on the whole page. */
function onTick(listener: () => void): () => void {
  listeners.add(listener);
  ticking ??= window.setInterval(() => listeners.forEach((notify) => notify()), TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      window.clearInterval(ticking);
      ticking = undefined;
    }
  };
}

/** "3 min ago", kept up to date. It renders again only when the text changes. */
function Ago({ date }: { date: Date }) {
  return useSyncExternalStore(onTick, () => ago(date));
}

interface Props {
  at: string | null | undefined;
  /** Placeholder for a missing time. */
  none?: string;
  /** Shows "3 min ago" for a week, then the date, instead of date and time. */
  relative?: boolean;
  seconds?: boolean;
  /** Without the date, for a time near another one. */
  clock?: boolean;
  /** Keeps date and time in one line. */
  whole?: boolean;
}

/** A time in the local time zone, with UTC in a tooltip. */
export function Time({
  at,
  none = "–",
  relative: isRelative = false,
  seconds = false,
  clock: isClock = false,
  whole = false,
}: Props) {
  if (!at) {
    return <>{none}</>;
  }
  const date = new Date(at);
  return (
    <Tooltip label={isRelative ? `${full.format(date)} · ${formatUtc(at)}` : formatUtc(at)}>
      {/* Screen readers would announce each change in a log of messages. */}
      <time
        dateTime={at}
        aria-live={isRelative ? "off" : undefined}
        style={isRelative || whole ? { whiteSpace: "nowrap" } : undefined}
      >
        {isRelative ? (
          <>
            <span className="screenOnly">
              <Ago date={date} />
            </span>
            <span className="printOnly">{short.format(date)}</span>
          </>
        ) : (
          (isClock ? clock : seconds ? full : short).format(date)
        )}
      </time>
    </Tooltip>
  );
}

/** A time in UTC, for tooltips. */
export const formatUtc = (at: string) =>
  `${new Date(at).toISOString().replace("T", " ").replace("Z", "")} UTC`;

/** A time in the local time zone as plain text. */
export const formatDateTime = (at: string) => short.format(new Date(at));

const sameYear = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** A time without what it has in common with now, for places with little room. */
export function formatNear(at: string, now = new Date()): string {
  const date = new Date(at);
  const isThisYear = date.getFullYear() === now.getFullYear();
  const format = date.toDateString() === now.toDateString() ? clock : isThisYear ? sameYear : day;
  return format.format(date);
}

/** A duration as precise as {@link formatDuration} shows it, so that differences fit the shown figures. */
export function shownDuration(milliseconds: number): number {
  if (milliseconds < 60_000) {
    const unit = milliseconds < 1000 ? 1 : 100;
    return Math.max(0, Math.round(milliseconds / unit) * unit);
  }
  const unit = milliseconds < 3_600_000 ? 1000 : 60_000;
  return Math.floor(milliseconds / unit) * unit;
}

/** Formats a duration as "420 ms", "3.2 s" or "4 min 10 s". */
export function formatDuration(milliseconds: number): string {
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
