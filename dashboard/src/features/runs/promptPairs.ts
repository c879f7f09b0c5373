import type { Pair } from "./ValueComparison";

interface Message {
  role: string;
  content: string;
}

/** Messages of the same role are pairs even if they share no words. */
const SAME_ROLE = 0.01;

/**
 * The prompts of two runs by name, for a comparison. Messages are paired by role and likeness and stay in order, so
 * that an additional message leaves the others equal.
 */
export function promptPairs(
  older: readonly Message[],
  newer: readonly Message[],
): Pair<Record<string, string>> {
  const before: Record<string, string> = {};
  const after: Record<string, string> = {};
  for (const [number, [left, right]] of aligned(older, newer).entries()) {
    const name = `${number + 1}. ${(right ?? left)!.role}`;
    if (left) {
      before[name] = left.content;
    }
    if (right) {
      after[name] = right.content;
    }
  }
  return [before, after];
}

/** The alignment with the greatest likeness in total. */
function aligned(older: readonly Message[], newer: readonly Message[]) {
  const likeness = likenessOf(older, newer);
  // best[i][j]: the greatest likeness of the messages from i and from j on.
  const best = Array.from({ length: older.length + 1 }, () => Array<number>(newer.length + 1).fill(0));
  const paired = (i: number, j: number) => {
    const alike = likeness(i, j);
    return alike > 0 ? alike + best[i + 1]![j + 1]! : -1;
  };
  for (let i = older.length - 1; i >= 0; i--) {
    for (let j = newer.length - 1; j >= 0; j--) {
      best[i]![j] = Math.max(best[i + 1]![j]!, best[i]![j + 1]!, paired(i, j));
    }
  }
  const pairs: [Message | undefined, Message | undefined][] = [];
  let [i, j] = [0, 0];
  while (i < older.length || j < newer.length) {
    if (i < older.length && j < newer.length && paired(i, j) === best[i]![j]) {
      pairs.push([older[i++], newer[j++]]);
    } else if (j === newer.length || (i < older.length && best[i + 1]![j] === best[i]![j])) {
      pairs.push([older[i++], undefined]);
    } else {
      pairs.push([undefined, newer[j++]]);
    }
  }
  return pairs;
}

/** The share of the words that two messages have in common, from 0 to 1; 0 for other roles. */
function likenessOf(older: readonly Message[], newer: readonly Message[]) {
  const wordsOf = ({ content }: Message) => new Set(content.split(/\s+/));
  const [left, right] = [older.map(wordsOf), newer.map(wordsOf)];
  return (i: number, j: number) => {
    if (older[i]!.role !== newer[j]!.role) {
      return 0;
    }
    if (older[i]!.content === newer[j]!.content) {
      return 1 + SAME_ROLE;
    }
    const shared = [...left[i]!].filter((word) => right[j]!.has(word)).length;
    return SAME_ROLE + (2 * shared) / (left[i]!.size + right[j]!.size);
  };
}
