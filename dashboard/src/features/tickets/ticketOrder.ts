interface Identified {
  id: string;
}

export interface Neighbors<T> {
  previous: T | undefined;
  next: T | undefined;
  /** The position in the list, from 1; 0 if the ticket is not in it. */
  position: number;
}

/**
 * The tickets before and after one. A ticket that left the list, because it was claimed or completed, keeps its place and
 * position in the order that the person came from.
 *
 * @param order the ids of the list when the ticket was opened
 */
export function neighbors<T extends Identified>(items: T[], order: string[], id: string): Neighbors<T> {
  const index = items.findIndex((item) => item.id === id);
  if (index >= 0) {
    return { previous: items[index - 1], next: items[index + 1], position: index + 1 };
  }
  const byId = new Map(items.map((item) => [item.id, item]));
  const place = order.indexOf(id);
  const find = (ids: string[]) => ids.map((each) => byId.get(each)).find((item) => item !== undefined);
  const next = find(order.slice(place + 1)) ?? items[0];
  const previous = place > 0 ? find(order.slice(0, place).toReversed()) : undefined;
  return { previous: previous?.id === next?.id ? undefined : previous, next, position: place + 1 };
}
