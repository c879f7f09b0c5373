import type { Schemas } from "../../api";

interface AttemptColumn {
  at: Date;
  succeeded: number;
  failed: number;
  /** Null without attempts. */
  medianMs: number | null;
}

const COLUMNS = { day: 24, week: 7 };

/** One column per interval, also for those without attempts, which the API leaves out. */
export function chartColumns(
  { since, interval, items }: Schemas["WebhookAttemptChart"],
  period: keyof typeof COLUMNS,
): AttemptColumn[] {
  return Array.from({ length: COLUMNS[period] }, (_, index) => {
    const at = new Date(Date.parse(since) + index * interval * 1000);
    const found = items.find((each) => Date.parse(each.from) === at.getTime());
    return {
      at,
      succeeded: found?.succeeded ?? 0,
      failed: found?.failed ?? 0,
      medianMs: found?.median_ms ?? null,
    };
  });
}
