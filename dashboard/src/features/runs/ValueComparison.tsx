import { Group, Stack } from "@mantine/core";
import { useMemo } from "react";
import { DimmedXs, Dimmed } from "../../components/variants";
import classes from "./compare.module.css";
import { valueText, wordDiff } from "../../components/wordDiff";

export type Pair<T> = readonly [older: T, newer: T];

export const SIDES = ["older", "newer"] as const;

/** The run of a value, where the two runs are below each other. */
export function SideLabel({ side }: { side: (typeof SIDES)[number] }) {
  return <DimmedXs className={classes.side}>{side === "older" ? "Older run" : "Newer run"}</DimmedXs>;
}

/** A value of two runs side by side, with the words that differ marked. An equal one is shown once. */
export function ValueComparison({ name, values: [older, newer] }: { name: string; values: Pair<unknown> }) {
  const before = valueText(older);
  const after = valueText(newer);
  const parts = useMemo(() => wordDiff(before, after), [before, after]);
  const same = before === after;
  return (
    <div>
      <Group gap={8} mb={4}>
        <DimmedXs fw={600}>{name}</DimmedXs>
        {same && <DimmedXs>same in both</DimmedXs>}
      </Group>
      {same && before === "" && <Dimmed>None</Dimmed>}
      {same && before !== "" && (
        <pre className={classes.text} tabIndex={0} aria-label={name}>
          {before}
        </pre>
      )}
      {!same && (
        <div className={classes.pair}>
          {SIDES.map((side, index) => (
            <div key={side}>
              <SideLabel side={side} />
              {[before, after][index] === "" ? (
                <Dimmed py={8}>None</Dimmed>
              ) : (
                <pre
                  className={classes.text}
                  data-side={side}
                  tabIndex={0}
                  aria-label={`${name} of the ${side} run`}
                >
                  {parts[index]!.map((part, at) =>
                    // Parts have no IDs.
                    // oxlint-disable-next-line react/no-array-index-key
                    part.changed ? <mark key={at}>{part.text}</mark> : <span key={at}>{part.text}</span>,
                  )}
                </pre>
              )}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

type Values = Record<string, unknown>;

interface ListProps {
  values: Pair<Values>;
  /** Hides equal values. */
  changedOnly: boolean;
}

export const isChanged = (one: unknown, other: unknown) => valueText(one) !== valueText(other);

/** Named values of two runs; values that differ come first. */
export function ValueComparisons({ values: [older, newer], changedOnly }: ListProps) {
  const names = [...new Set([...Object.keys(older), ...Object.keys(newer)])];
  const changed = names.filter((name) => isChanged(older[name], newer[name]));
  const same = changedOnly ? [] : names.filter((name) => !changed.includes(name));
  return (
    <Stack gap="sm">
      {[...changed, ...same].map((name) => (
        <ValueComparison key={name} name={name} values={[older[name], newer[name]]} />
      ))}
      {changed.length + same.length === 0 && (
        <Dimmed>{names.length === 0 ? "None." : "No differences."}</Dimmed>
      )}
    </Stack>
  );
}
