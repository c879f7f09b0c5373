import { Card, Center, Group, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useState, type KeyboardEvent } from "react";
import { CardHeading, DimmedXs, Dimmed } from "./variants";
import { countScale, durationScale, formatRoundDuration } from "./chartScale";
import classes from "./chart.module.css";

export interface Series {
  name: string;
  tone: "blue" | "teal" | "green" | "red" | "grey" | "orange";
  /** One value per column; null for missing data. */
  values: (number | null)[];
}

interface Props {
  title: string;
  /** Column labels: short on the axis, long next to the title. */
  times: { short: string; long: string }[];
  series: Series[];
  format: (value: number) => string;
  /** Whether the values are durations in milliseconds, which have grid lines at round minutes and hours. */
  durations?: boolean;
  /** Shown next to the title until a column is chosen. */
  hint?: string;
  /** Draws lines instead of stacked bars. */
  lines?: boolean;
  /** Opens what a column counts; Enter opens the column that was moved to. */
  onOpen?: (index: number) => void;
}

const HEIGHT = 176;
const MIN_LEFT = 34;
const CHARACTER_WIDTH = 7.2;
/** Room below the axis: its label "0" and the times do not touch. */
const BOTTOM = 26;
const TOP = 8;
const LABEL_WIDTH = 84;

/**
 * A time series as stacked bars or lines. Hovering over a column, or moving to it with the arrow keys, shows its
 * numbers. For screen readers the chart is a slider along the time axis.
 */
export function Chart(props: Props) {
  const { title, times, series, format, hint = " ", durations = false, lines = false, onOpen } = props;
  const { ref, width } = useElementSize();
  const [active, setActive] = useState<number | null>(null);
  const last = times.length - 1;
  const onKeyDown = (event: KeyboardEvent) => {
    const now = active ?? last;
    if (event.key === "Enter" && onOpen) {
      onOpen(now);
      return;
    }
    const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setActive(Math.min(last, Math.max(0, next)));
    }
  };
  const isEmpty = series.every((each) => each.values.every((value) => !value));
  const shown = active !== null && times[active] ? active : null;
  const current = shown ?? last;
  const describe = (each: Series) => `${each.name}: ${text(each.values[current], format)}`;
  return (
    <Card withBorder padding="md" component="section" aria-label={title}>
      <Group justify="space-between" mb="xs" gap="xs">
        <CardHeading>{title}</CardHeading>
        <DimmedXs>
          {shown === null ? hint : times[shown]!.long}
          {shown !== null && onOpen && " · view the runs started then"}
        </DimmedXs>
      </Group>
      <div
        ref={ref}
        className={classes.plot}
        tabIndex={0}
        role="slider"
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={current}
        aria-valuetext={`${times[current]?.long}. ${series.map(describe).join(", ")}`}
        onKeyDown={onKeyDown}
        onBlur={() => setActive(null)}
        onPointerLeave={() => setActive(null)}
      >
        {isEmpty && (
          <Center h={HEIGHT}>
            <Dimmed>No data for this period</Dimmed>
          </Center>
        )}
        {width > 0 && !isEmpty && (
          <Plot
            width={width}
            times={times}
            series={series}
            format={format}
            durations={durations}
            lines={lines}
            active={shown}
            onActive={setActive}
            onOpen={onOpen}
          />
        )}
      </div>
      <Group gap="md" mt={6}>
        {series.map((each) => (
          <Group key={each.name} gap={6} wrap="nowrap">
            <span className={classes.swatch} data-tone={each.tone} aria-hidden />
            <Text size="xs">
              {each.name}
              {shown !== null && (
                <Text span inherit fw={650}>
                  {" "}
                  {text(each.values[shown], format)}
                </Text>
              )}
            </Text>
          </Group>
        ))}
      </Group>
    </Card>
  );
}

function text(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}

interface PlotProps extends Omit<Props, "title" | "lines" | "hint" | "durations"> {
  width: number;
  durations: boolean;
  lines: boolean;
  active: number | null;
  onActive: (index: number) => void;
}

function Plot(props: PlotProps) {
  const { width, times, series, format, durations, lines, active, onActive, onOpen } = props;
  const base = HEIGHT - BOTTOM;
  const highest = Math.max(
    ...times.map((_, at) =>
      lines ? Math.max(...series.map((each) => each.values[at] ?? 0)) : sumUpTo(series, series.length, at),
    ),
  );
  const scale = durations ? durationScale(highest) : countScale(highest);
  const top = scale.lines.at(-1)!;
  const grid = scale.lines.map((value) => ({
    value,
    text: durations ? formatRoundDuration(value, scale.step) : format(value),
  }));
  const left = Math.max(MIN_LEFT, ...grid.map((line) => line.text.length * CHARACTER_WIDTH + 10));
  const inner = width - left;
  const column = inner / times.length;
  const y = (value: number) => base - (value / top) * (base - TOP);
  const x = (at: number) => left + at * column;
  const every = Math.max(1, Math.ceil(times.length / Math.max(1, Math.floor(inner / LABEL_WIDTH))));
  return (
    <svg width={width} height={HEIGHT} aria-hidden className={classes.drawing}>
      {grid.map(({ value, text: label }) => (
        <g key={value}>
          <line x1={left} x2={width} y1={y(value)} y2={y(value)} className={classes.grid} />
          <text x={left - 8} y={y(value) + 4} textAnchor="end">
            {label}
          </text>
        </g>
      ))}
      {times.map((time, at) =>
        at % every === 0 ? (
          // Columns are never reordered.
          // oxlint-disable-next-line react/no-array-index-key
          <text key={at} {...labelPosition(x(at) + column / 2, time.short, width)} y={HEIGHT - 4}>
            {time.short}
          </text>
        ) : null,
      )}
      {active !== null && (
        <rect x={x(active)} y={TOP} width={column} height={base - TOP} className={classes.active} />
      )}
      {series.map((each, order) =>
        lines ? (
          <Line key={each.name} of={each} x={(at) => x(at) + column / 2} y={y} />
        ) : (
          each.values.map((value, at) => {
            const below = sumUpTo(series, order, at);
            return value ? (
              <rect
                // oxlint-disable-next-line react/no-array-index-key
                key={`${each.name}${at}`}
                data-tone={each.tone}
                x={x(at) + column * 0.14}
                width={Math.min(column * 0.72, 44)}
                y={y(below + value)}
                height={Math.max(1, y(below) - y(below + value))}
                rx={1.5}
              />
            ) : null;
          })
        ),
      )}
      {times.map((time, at) => (
        <rect
          // oxlint-disable-next-line react/no-array-index-key
          key={`${time.long}${at}`}
          x={x(at)}
          y={0}
          width={column}
          height={base}
          fill="transparent"
          onPointerEnter={() => onActive(at)}
          onClick={onOpen && (() => onOpen(at))}
          style={onOpen && { cursor: "pointer" }}
        />
      ))}
    </svg>
  );
}

/** Centers a time below its column, but keeps it within the chart. */
function labelPosition(center: number, label: string, width: number) {
  const half = (label.length * CHARACTER_WIDTH) / 2;
  if (center < half) {
    return { x: 0, textAnchor: "start" } as const;
  }
  return center + half > width
    ? ({ x: width, textAnchor: "end" } as const)
    : ({ x: center, textAnchor: "middle" } as const);
}

function sumUpTo(series: Series[], order: number, at: number): number {
  return series.slice(0, order).reduce((sum, each) => sum + (each.values[at] ?? 0), 0);
}

/** Connects consecutive points and leaves a gap where data is missing. */
function Line({ of, x, y }: { of: Series; x: (at: number) => number; y: (value: number) => number }) {
  const path = of.values
    .map((value, at) => {
      const joined = at > 0 && of.values[at - 1] !== null;
      return value === null ? "" : `${joined ? "L" : "M"}${x(at)} ${y(value)}`;
    })
    .join("");
  return (
    <g data-tone={of.tone}>
      <path d={path} fill="none" strokeWidth={2} stroke="currentColor" />
      {of.values.map((value, at) =>
        // oxlint-disable-next-line react/no-array-index-key
        value === null ? null : <circle key={at} cx={x(at)} cy={y(value)} r={3} fill="currentColor" />,
      )}
    </g>
  );
}
