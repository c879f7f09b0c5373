import { Autocomplete, Text } from "@mantine/core";
import { useState } from "react";
import { api, ask } from "../../api/client";
import { faultsOf } from "../../api/problem";
import { Form } from "../../parts/Form";
import { formatOf, type Format } from "./formats";
import { NameAndFormat } from "./NameAndFormat";
import { useMaking } from "./useMaking";

interface Props {
  orgId: string;
  prefixes: string[];
  onBusy: (busy: boolean) => void;
}

/** Makes a data set of objects in S3. */
export function S3Form({ orgId, prefixes, onBusy }: Props) {
  const [uri, setUri] = useState(prefixes[0] ?? "");
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<Format | null>(null);
  const format = chosen ?? formatOf(uri);
  const read = useMaking(orgId, onBusy, async (of: Format) => {
    const { data_lake } = await ask(
      api.POST("/dashboard/api/organizations/{orgId}/data-lakes", {
        params: { path: { orgId } },
        body: { name: name.trim(), format: of, s3_uri: uri.trim() },
      }),
    );
    return data_lake;
  });
  const { at } = faultsOf(read.error);
  return (
    <Form
      sending={read}
      onSubmit={() => format && read.start(format)}
      action="Read"
      shown={["/name", "/format", "/s3_uri"]}
      button={{ disabled: !format || !uri }}
    >
      <Autocomplete
        label="Location"
        description={
          <>
            One object or, with a slash at the end, all objects below; they have the same columns. Open to
            your organization: {prefixes.join(", ")}
          </>
        }
        required
        maxLength={1100}
        data={prefixes}
        filter={({ options }) => options}
        value={uri}
        disabled={read.isPending}
        error={at("/s3_uri")}
        onChange={setUri}
      />
      <NameAndFormat
        name={name}
        onName={setName}
        format={format}
        onFormat={setChosen}
        disabled={read.isPending}
        at={at}
      />
      {read.isPending && (
        <Text size="sm" role="status">
          Reading the objects …
        </Text>
      )}
    </Form>
  );
}
