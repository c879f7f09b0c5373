import { Code, Popover, Textarea } from "@mantine/core";
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import type { ExpressionName } from "../../graph/controlFlow";
import { typedAt } from "../../graph/expressions";
import classes from "./editor.module.css";

interface Props {
  label: string;
  /** The field of the task, for jumps to it. */
  field: string;
  names: readonly ExpressionName[];
  value: string;
  error?: string;
  required?: boolean;
  onChange: (value: string) => void;
}

type Typed = NonNullable<ReturnType<typeof typedAt>>;

const plain = (text: string) => text.replaceAll("`", "").toLowerCase();

/** The names that contain the typed text; those that begin with it come first. */
function matching(names: readonly ExpressionName[], typed: string): ExpressionName[] {
  const wanted = plain(typed);
  const found = names.filter((name) => plain(name.text).includes(wanted));
  const isComplete = found.length === 1 && found[0]?.text === typed;
  return isComplete ? [] : found.toSorted((a, b) => order(a, wanted) - order(b, wanted));
}

const order = (name: ExpressionName, wanted: string) => (plain(name.text).startsWith(wanted) ? 0 : 1);

/** A condition in CEL, with completion of the names that it may use. The server finds its errors. */
export function ConditionField({ label, field, names, value, error, required, onChange }: Props) {
  const list = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number>(null);
  const [typed, setTyped] = useState<Typed | null>(null);
  /** -1 while none is chosen, so that Enter and Tab keep their meaning. */
  const [active, setActive] = useState(-1);
  const matches = typed ? matching(names, typed.text) : [];
  const opened = matches.length > 0;
  useLayoutEffect(() => {
    if (caret.current !== null) {
      input.current?.setSelectionRange(caret.current, caret.current);
      caret.current = null;
    }
  }, [value]);
  const complete = (text: string, at: number, onlyTyped: boolean) => {
    const found = typedAt(text, at);
    setTyped(onlyTyped && found?.text === "" ? null : found);
    setActive(found?.text ? 0 : -1);
  };
  const close = () => setTyped(null);
  const choose = (name: ExpressionName | undefined) => {
    if (typed && name) {
      caret.current = typed.start + name.text.length;
      onChange(value.slice(0, typed.start) + name.text + value.slice(typed.end));
    }
    close();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { value: text, selectionStart } = event.currentTarget;
    const isOpening = (event.key === " " && event.ctrlKey) || (event.key === "ArrowDown" && text === "");
    if (opened && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const step = event.key === "ArrowDown" ? 1 : -1;
      setActive((now) => (Math.max(now, step === 1 ? -1 : 0) + step + matches.length) % matches.length);
    } else if (opened && active >= 0 && (event.key === "Enter" || event.key === "Tab") && !event.shiftKey) {
      choose(matches[active]);
    } else if (opened && event.key === "Escape") {
      close();
      event.stopPropagation();
    } else if (isOpening) {
      complete(text, selectionStart, false);
    } else {
      return;
    }
    event.preventDefault();
  };
  return (
    <Popover
      opened={opened}
      onChange={(now) => !now && close()}
      position="bottom-start"
      width="target"
      offset={2}
      withRoles={false}
      trapFocus={false}
      returnFocus={false}
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Textarea
          ref={input}
          label={label}
          description={<Example names={names} />}
          required={required}
          autosize
          maxRows={8}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          classNames={{ input: classes.expression }}
          value={value}
          // While a name is being chosen, it is not an error yet.
          error={opened ? undefined : error}
          data-field={field}
          aria-autocomplete="list"
          aria-controls={opened ? list : undefined}
          aria-activedescendant={opened && active >= 0 ? `${list}-${active}` : undefined}
          onChange={(event) => {
            const { value: text, selectionStart } = event.currentTarget;
            onChange(text);
            complete(text, selectionStart, true);
          }}
          onFocus={(event) => event.currentTarget.value === "" && complete("", 0, false)}
          onClick={(event) => event.currentTarget.value !== "" && close()}
          onBlur={close}
          onKeyDown={onKeyDown}
        />
      </Popover.Target>
      <Popover.Dropdown p={4} mah={260} style={{ overflowY: "auto" }}>
        <div id={list} role="listbox" aria-label="Names">
          {matches.map((name, index) => (
            // The text field has the focus and handles the keys.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={name.text}
              id={`${list}-${index}`}
              ref={index === active ? scrollIntoView : undefined}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              title={name.description}
              className={classes.name}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(name)}
            >
              <span>{name.text}</span> <small>{name.type}</small>
            </div>
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });

const COMPARISONS: Record<string, string> = {
  BOOLEAN: "",
  INTEGER: " > 0",
  FLOAT: " > 0.5",
  STRING: " == 'yes'",
};

/** A condition that would be valid here. */
function Example({ names }: { names: readonly ExpressionName[] }) {
  // Inputs often have fixed values.
  const varying = names.filter((each) => !each.text.startsWith("inputs.") && each.type in COMPARISONS);
  const name = varying.find((each) => each.type === "BOOLEAN") ?? varying[0];
  return name ? (
    <>
      Such as <Code>{name.text + COMPARISONS[name.type]}</Code>
    </>
  ) : (
    "A condition in CEL"
  );
}
