import type { Schemas } from "../../api";

type Claimed = Pick<Schemas["TicketSummary"], "number" | "claimed_by">;

const MAX_NUMBERS = 3;

/** Says which tickets are claimed by others: "#52 is claimed by Jonas." */
export function claimedByOthers(
  tickets: readonly Claimed[],
  nameOf: (user: string | null | undefined) => string,
): string {
  const claimants = new Set(tickets.map(({ claimed_by }) => claimed_by));
  const by = claimants.size === 1 ? nameOf([...claimants][0]) : "others";
  const named = tickets.slice(0, MAX_NUMBERS).map(({ number }) => `#${number}`);
  const more = tickets.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""} ${tickets.length === 1 ? "is" : "are"} claimed by ${by}.`;
}
