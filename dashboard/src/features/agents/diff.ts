export interface Line {
  kind: "same" | "gone" | "new";
  text: string;
}

/** Beyond this the table of the comparison would be too large; then the middle is shown as replaced. */
const MOST_CELLS = 4_000_000;

/** Which lines came and went, by the longest common subsequence of what lies between equal beginnings and ends. */
export function diffLines(before: string, after: string): Line[] {
  const a = before.split("\n");
  const b = after.split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) {
    head++;
  }
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) {
    tail++;
  }
  const same = (text: string): Line => ({ kind: "same", text });
  return [
    ...a.slice(0, head).map(same),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ];
}

function middle(a: string[], b: string[]): Line[] {
  const gone = (text: string): Line => ({ kind: "gone", text });
  const added = (text: string): Line => ({ kind: "new", text });
  if (a.length === 0 || b.length === 0 || a.length * b.length > MOST_CELLS) {
    return [...a.map(gone), ...b.map(added)];
  }
  const width = b.length + 1;
  const length = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i * width + j] =
        a[i] === b[j]
          ? length[(i + 1) * width + j + 1]! + 1
          : Math.max(length[(i + 1) * width + j]!, length[i * width + j + 1]!);
    }
  }
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ kind: "same", text: a[i]! });
      i++;
      j++;
    } else if (length[(i + 1) * width + j]! >= length[i * width + j + 1]!) {
      lines.push(gone(a[i++]!));
    } else {
      lines.push(added(b[j++]!));
    }
  }
  return [...lines, ...a.slice(i).map(gone), ...b.slice(j).map(added)];
}
