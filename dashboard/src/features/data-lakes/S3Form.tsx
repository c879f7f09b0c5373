import { Autocomplete, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api, ask } from "../../api/client";
import { faultsOf } from "../../api/problem";
import { Form } from "../../parts/Form";
import { queryClient } from "../../queryClient";
import { formatOf, type Format } from "./formats";
import { NameAndFormat } from "./NameAndFormat";

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
  const navigate = useNavigate();
  const format = chosen ?? formatOf(uri);
  const read = useMutation({
    mutationFn: (of: Format) =>
      ask(
        api.POST("/dashboard/api/organizations/{orgId}/data-lakes", {
          params: { path: { orgId } },
          body: { name: name.trim(), format: of, s3_uri: uri.trim(), size: null, file_url: null },
        }),
      ),
    onMutate: () => onBusy(true),
    onSuccess: ({ data_lake }) => {
      void navigate(`/organizations/${orgId}/data/${data_lake.id}`, { replace: true });
    },
    onSettled: () => {
      onBusy(false);
      return queryClient.invalidateQueries({ queryKey: ["organization", orgId, "data-lakes"] });
    },
  });
  const { at } = faultsOf(read.error);
  return (
    <Form
      sending={read}
      onSubmit={() => format && read.mutate(format)}
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
