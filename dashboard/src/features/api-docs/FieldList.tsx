import { Group, Text } from "@mantine/core";
import { Fragment } from "react";
import { InlineLink } from "../../components/PageLink";
import { counted } from "../../components/counted";
import { Strong, DimmedXs } from "../../components/variants";
import classes from "./apiDocs.module.css";
import {
  anchorOf,
  isNullable,
  nonNull,
  operationAt,
  resolveSchema,
  typeName,
  type Schema,
} from "./developerApi";

export interface Field {
  name: string;
  schema: Schema;
  required: boolean;
  description?: string;
}

/** The properties of an object as fields. */
export function fieldsOf(schema: Schema): Field[] {
  const { properties = {}, required = [] } = objectOf(schema);
  return Object.entries(properties).map(([name, each]) => ({
    name,
    schema: each,
    required: required.includes(name),
  }));
}

/** The object itself, or that of an array's items. */
function objectOf(schema: Schema): Schema {
  const { items, ...own } = nonNull(schema);
  return items ? objectOf(items) : own;
}

/** Nested objects beyond this depth are named only. */
const MAX_DEPTH = 3;

interface Props {
  fields: Field[];
  /** In responses every field is present, so only requests mark required ones. */
  isRequest?: boolean;
  depth?: number;
}

export function FieldList({ fields, isRequest = false, depth = 0 }: Props) {
  return (
    <ul className={classes.fields}>
      {fields
        .toSorted((a, b) => (isRequest ? Number(b.required) - Number(a.required) : 0))
        .map(({ name, schema, required, description }) => {
          const nested = depth < MAX_DEPTH ? fieldsOf(schema) : [];
          return (
            <li key={name}>
              <Group gap={8}>
                <Strong ff="monospace" style={{ overflowWrap: "anywhere" }}>
                  {name}
                </Strong>
                <DimmedXs>
                  {typeName(schema)}
                  {!isRequest && isNullable(schema) && " or null"}
                </DimmedXs>
                {isRequest && required && (
                  <Text size="xs" fw={600}>
                    required
                  </Text>
                )}
              </Group>
              <Description
                text={description ?? resolveSchema(schema).description ?? nonNull(schema).description}
              />
              <Values of={nonNull(schema)} />
              {nested.length > 0 && (
                <details>
                  <summary>
                    {counted(nested.length, "field")} of {name}
                  </summary>
                  <FieldList fields={nested} isRequest={isRequest} depth={depth + 1} />
                </details>
              )}
            </li>
          );
        })}
    </ul>
  );
}

/** The values of an enumeration, the range and the default. */
function Values({ of: schema }: { of: Schema }) {
  const { enum: values, default: standard, minimum, maximum } = schema;
  const facts = [
    values && `One of ${values.join(", ")}.`,
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}.`,
    standard !== undefined && `Default ${String(standard)}.`,
  ].filter(Boolean);
  return (
    facts.length > 0 && (
      <DimmedXs mt={2} style={{ overflowWrap: "anywhere" }}>
        {facts.join(" ")}
      </DimmedXs>
    )
  );
}

/** A text of the document; it marks code with backticks. */
export function Description({ text }: { text: string | undefined }) {
  return (
    text && (
      <Text size="sm" mt={2} className={classes.prose}>
        {text.split("`").map((part, index) => {
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a fixed text
          return index % 2 === 1 ? <Code key={index} text={part} /> : <Fragment key={index}>{part}</Fragment>;
        })}
      </Text>
    )
  );
}

/** Code; the name of an operation links to its section. */
function Code({ text }: { text: string }) {
  const operation = operationAt(text);
  return operation ? (
    <InlineLink to={{ hash: anchorOf(operation) }}>{operation.summary}</InlineLink>
  ) : (
    <code>{text}</code>
  );
}
