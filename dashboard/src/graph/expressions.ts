/** References in CEL expressions, such as `tasks.decide.approved`. The server validates the expressions. */

export interface Reference {
  /** The unquoted names, such as tasks, decide and approved. */
  names: string[];
  start: number;
  end: number;
}

/** Literals, which may contain anything, or a name with its members. */
const TOKEN =
  /r?"""[^]*?(?:"""|$)|r?'''[^]*?(?:'''|$)|(?:\b[rR])?"(?:[^"\\\n]|\\.)*(?:"|$)|(?:\b[rR])?'(?:[^'\\\n]|\\.)*(?:'|$)|\/\/.*|\.?\d[\w.]*|(\.\s*)?[A-Za-z_]\w*(?:\s*\.\s*(?:[A-Za-z_]\w*|`[^`]*`))*/g;
const NAME = /[A-Za-z_]\w*|`[^`]*`/g;
const ROOTS = new Set(["inputs", "tasks", "trigger", "outputs"]);

/** The references to inputs, tasks, outputs and the trigger, in the order of the text. */
export function referencesIn(expression: string): Reference[] {
  return [...expression.matchAll(TOKEN)].flatMap((match) => {
    const [text, member] = match;
    const names = (text.match(NAME) ?? []).map((name) => name.replaceAll("`", ""));
    return member === undefined && /^[A-Za-z_]/.test(text) && !/["']$/.test(text) && ROOTS.has(names[0] ?? "")
      ? [{ names, start: match.index, end: match.index + text.length }]
      : [];
  });
}

/** Words of CEL that are no names. */
const RESERVED = new Set(
  "as break const continue else false for function if import in let loop package namespace null return true var void while".split(
    " ",
  ),
);

const quoted = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) && !RESERVED.has(name) ? name : `\`${name}\``;

/** Writes a reference; names that are not identifiers are in backticks. */
export const written = (names: readonly string[]): string => names.map(quoted).join(".");

/** Replaces the names of references; the function returns null for those that stay. */
export function withRenamed(expression: string, rename: (names: string[]) => string[] | null): string {
  return referencesIn(expression).reduceRight((text, { names, start, end }) => {
    const next = rename(names);
    return next ? text.slice(0, start) + written(next) + text.slice(end) : text;
  }, expression);
}

const OPERATORS: Record<string, string> = {
  "&&": " and ",
  "||": " or ",
  "==": " = ",
  "!=": " ≠ ",
  ">=": " ≥ ",
  "<=": " ≤ ",
  ">": " > ",
  "<": " < ",
  "!": "not ",
};

const LITERALS_AND_OPERATORS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\s*(?:&&|\|\||[=!><]=|[><])\s*|!\s*/g;

/** The expression for people: members without their owner, and words for operators. */
export function readable(expression: string): string {
  return referencesIn(expression)
    .reduceRight(
      (text, { names, start, end }) =>
        text.slice(0, start) + names.slice(names[0] === "tasks" ? 2 : 1).join(".") + text.slice(end),
      expression,
    )
    .replaceAll(LITERALS_AND_OPERATORS, (text) => OPERATORS[text.trim()] ?? text)
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The reference that is being typed at the caret: the text before the caret, and all of its place. Null in literals. */
export function typedAt(
  expression: string,
  caret: number,
): { text: string; start: number; end: number } | null {
  const before = expression.slice(0, caret);
  const last = [...before.matchAll(TOKEN)].at(-1);
  if (last && last.index + last[0].length === caret && /^(?:[rR]?["']|\/\/)/.test(last[0])) {
    return null;
  }
  const [text = ""] = /[A-Za-z_]\w*(?:\.(?:\w+|`[^`]*`))*(?:\.(?:`[^`]*)?)?$/.exec(before) ?? [];
  const [rest = ""] = /^[\w.`]*/.exec(expression.slice(caret)) ?? [];
  return { text, start: caret - text.length, end: caret + rest.length };
}
