import { Anchor, Group, Stack, Title } from "@mantine/core";
import { Strong, DimmedXs } from "../../components/variants";
import classes from "./apiDocs.module.css";
import { CodeBlock } from "../../components/CodeBlock";
import { RequestSample } from "./CodeSample";
import { anchorOf, type Operation } from "./developerApi";
import { Description, FieldList, fieldsOf } from "./FieldList";
import { TryIt } from "./TryIt";

const PLACES = [
  { place: "path", title: "Path" },
  { place: "query", title: "Query parameters" },
  { place: "header", title: "Headers" },
] as const;

/** An operation: what it needs and returns at the left, code at the right. */
export function OperationSection({ operation }: { operation: Operation }) {
  const { method, path, summary, description, parameters, body, responses } = operation;
  const [success] = responses;
  const bodyFields = body?.schema ? fieldsOf(body.schema) : [];
  const fields = success?.schema ? fieldsOf(success.schema) : [];
  return (
    <section
      className={classes.section}
      id={anchorOf(operation)}
      aria-labelledby={`${anchorOf(operation)}-title`}
    >
      <div className={classes.columns}>
        <Stack gap="md">
          <div>
            <Title order={3} size="h4" id={`${anchorOf(operation)}-title`}>
              {summary}
            </Title>
            <Group gap={8} mt={6} wrap="nowrap" align="flex-start">
              <span className={classes.method} data-method={method}>
                {method}
              </span>
              <span className={classes.path}>{path}</span>
            </Group>
            <Description text={description} />
          </div>
          {PLACES.map(({ place, title }) => {
            const found = parameters.filter((each) => each.in === place);
            return (
              found.length > 0 && (
                <div key={place}>
                  <Subtitle>{title}</Subtitle>
                  <FieldList
                    isRequest
                    fields={found.map(({ name, schema, required = false, description: text }) => ({
                      name,
                      schema,
                      required,
                      description: text,
                    }))}
                  />
                </div>
              )
            );
          })}
          {bodyFields.length > 0 && (
            <div>
              <Subtitle>Body</Subtitle>
              <FieldList isRequest fields={bodyFields} />
            </div>
          )}
          {fields.length > 0 && (
            <details>
              <Strong component="summary" style={{ cursor: "pointer" }}>
                Fields of the response
              </Strong>
              <FieldList fields={fields} />
            </details>
          )}
          <details>
            <Strong component="summary" style={{ cursor: "pointer" }}>
              Statuses
            </Strong>
            <ul className={classes.fields}>
              {responses.map((response) => (
                <li key={response.status}>
                  <Group gap={10} wrap="nowrap" align="baseline">
                    <Strong ff="monospace">{response.status}</Strong>
                    <Description text={response.description} />
                  </Group>
                </li>
              ))}
            </ul>
          </details>
        </Stack>
        <Stack gap="md" className={classes.code}>
          <RequestSample operation={operation} />
          <TryIt operation={operation} />
          {success?.schema ? (
            <CodeBlock
              title={`Response ${success.status}`}
              label={`response: ${summary}`}
              code={JSON.stringify(success.example, null, 2)}
            />
          ) : (
            success && (
              <DimmedXs>
                Response {success.status}: {success.description}
              </DimmedXs>
            )
          )}
          <Anchor size="xs" href="#errors">
            Errors have one form for all routes.
          </Anchor>
        </Stack>
      </div>
    </section>
  );
}

function Subtitle({ children }: { children: string }) {
  return (
    <Title order={4} size="sm" mb={6}>
      {children}
    </Title>
  );
}
