import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import { isIdentifier, keyOf, memberOf } from "./javaScriptNames";

interface DeclaredName {
  name: string;
  type: string;
}

/** The inputs and outputs that code declares. */
export interface DeclaredNames {
  inputs: readonly DeclaredName[];
  outputs: readonly DeclaredName[];
}

export type CodeLanguage = "javascript" | "python";

/** Offers the declared inputs where code reads them, and the declared outputs as keys of an object. */
export function completeNames(
  context: CompletionContext,
  language: CodeLanguage,
  { inputs, outputs }: DeclaredNames,
): CompletionResult | null {
  const member = context.matchBefore(/\binputs\.[\w$]*/);
  if (member) {
    const typed = member.text.slice("inputs.".length).toLowerCase();
    const found = inputs.filter(({ name }) => name.toLowerCase().startsWith(typed));
    return {
      from: member.from + "inputs".length,
      options: found.map((each) =>
        optionOf(each, language === "javascript" ? memberOf(each.name) : `[${JSON.stringify(each.name)}]`),
      ),
      filter: false,
    };
  }
  const key = context.matchBefore(/\binputs(?:\[|\.get\()["'][^"']*/);
  if (key) {
    return { from: key.from + key.text.search(/["']/) + 1, options: inputs.map((each) => optionOf(each)) };
  }
  const word = context.matchBefore(/[\w$]+/);
  if (!word) {
    return null;
  }
  const { name, parent, prevSibling } = syntaxTree(context.state).resolveInner(context.pos, -1);
  if (parent?.name === "PatternProperty") {
    return {
      from: word.from,
      options: inputs.filter(({ name: input }) => isIdentifier(input)).map((each) => optionOf(each)),
    };
  }
  if (name === "PropertyDefinition") {
    return { from: word.from, options: outputs.map((each) => optionOf(each, keyOf(each.name))) };
  }
  if (name === "String" && OBJECTS.has(parent?.name ?? "") && prevSibling?.name !== ":") {
    return { from: word.from, options: outputs.map((each) => optionOf(each)) };
  }
  return null;
}

/** The syntax nodes that contain quoted keys. While only its keys are typed, a Python dictionary is parsed as a set. */
const OBJECTS = new Set(["Property", "DictionaryExpression", "SetExpression"]);

const optionOf = ({ name, type }: DeclaredName, apply = name): Completion => ({
  label: name,
  detail: type,
  type: "property",
  apply,
});

const READS: Record<CodeLanguage, RegExp[]> = {
  javascript: [
    // Not a call, such as inputs.toString().
    /\binputs\??\.(?<name>[A-Za-z_$][\w$]*)(?![\w$]|\s*\()/g,
    /\binputs(?:\?\.)?\[(["'])(?<name>[^"'\n]*)\1\]/g,
  ],
  python: [/\binputs\[(["'])(?<name>[^"'\n]*)\1\]/g, /\binputs\.get\((["'])(?<name>[^"'\n]*)\1/g],
};

/** The places where code reads an input that it does not declare; none if it declares no inputs. */
export function undeclaredInputs(
  state: EditorState,
  language: CodeLanguage,
  { inputs }: DeclaredNames,
): { from: number; to: number; name: string }[] {
  if (inputs.length === 0) {
    return [];
  }
  const declared = new Set(inputs.map(({ name }) => name));
  const text = state.doc.toString();
  const tree = syntaxTree(state);
  return READS[language].flatMap((read) =>
    [...text.matchAll(read)].flatMap(({ index, 0: { length }, groups }) => {
      const name = groups!.name!;
      const isCode = tree.resolveInner(index, 1).name === "VariableName";
      return isCode && !declared.has(name) ? [{ from: index, to: index + length, name }] : [];
    }),
  );
}
