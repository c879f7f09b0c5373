import { Autocomplete, Text } from "@mantine/core";
import { useState } from "react";
import { api, unwrap } from "../../api/client";
import { fieldErrors } from "../../api/problem";
import { Form } from "../../components/Form";
import { formatOf, type Format } from "./formats";
import { NameAndFormatFields } from "./NameAndFormatFields";
import { useCreateDataSet } from "./useCreateDataSet";

interface Props {
  orgId: string;
  prefixes: string[];
  onBusy: (busy: boolean) => void;
}

/** Creates a data set from S3 objects. */
export function S3Form({ orgId, prefixes, onBusy }: Props) {
  const [uri, setUri] = useState(prefixes[0] ?? "");
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<Format | null>(null);
  const format = chosen ?? formatOf(uri);
  const create = useCreateDataSet(orgId, onBusy, async (of: Format) => {
    const { data_lake } = await unwrap(
      api.POST("/dashboard/api/organizations/{orgId}/data-lakes", {
        params: { path: { orgId } },
        body: { name: name.trim(), format: of, s3_uri: uri.trim() },
      }),
    );
    return data_lake;
  });
  const { at } = fieldErrors(create.error);
  return (
    <Form
      mutation={create}
      onSubmit={() => format && create.start(format)}
      action="Import"
      fieldPaths={["/name", "/format", "/s3_uri"]}
      button={{ disabled: !format || !uri }}
    >
      <Autocomplete
        label="Location"
        description={
          <>
            One object, or a prefix ending in “/” for all objects below it, which need the same columns. Your
            organization can read: {prefixes.join(", ")}
          </>
        }
        required
        maxLength={1100}
        data={prefixes}
        filter={({ options }) => options}
        value={uri}
        disabled={create.isPending}
        error={at("/s3_uri")}
        onChange={setUri}
      />
      <NameAndFormatFields
        name={name}
        onName={setName}
        format={format}
        onFormat={setChosen}
        disabled={create.isPending}
        at={at}
      />
      {create.isPending && (
        <Text size="sm" role="status">
          Importing…
        </Text>
      )}
    </Form>
  );
}
