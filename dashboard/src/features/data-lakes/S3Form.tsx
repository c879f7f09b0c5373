import { Autocomplete, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { api, unwrap } from "../../api/client";
import { useDataLakes } from "../../api/queries";
import { nameError } from "../../components/nameError";
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
  const form = useForm({
    initialValues: { name: "", format: null as Format | null, s3_uri: prefixes[0] ?? "" },
    transformValues: (values) => ({ ...values, format: values.format ?? formatOf(values.s3_uri) }),
  });
  const { format, s3_uri: uri } = form.getTransformedValues();
  const taken = nameError(useDataLakes(orgId).data, form.values.name);
  const create = useCreateDataSet(
    orgId,
    onBusy,
    async (dataSet: ReturnType<typeof form.getTransformedValues>) => {
      const { data_lake } = await unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/data-lakes", {
          params: { path: { orgId } },
          body: { name: dataSet.name.trim(), format: dataSet.format!, s3_uri: dataSet.s3_uri.trim() },
        }),
      );
      return data_lake;
    },
  );
  return (
    <Form
      form={form}
      mutation={create}
      action="Import"
      button={{ disabled: !format || !uri || (taken !== undefined && !create.isPending) }}
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
        disabled={create.isPending}
        {...form.getInputProps("s3_uri")}
      />
      <NameAndFormatFields
        inputProps={form.getInputProps}
        nameError={create.isPending ? undefined : taken}
        format={format}
        disabled={create.isPending}
      />
      {create.isPending && (
        <Text size="sm" role="status">
          Importing…
        </Text>
      )}
    </Form>
  );
}
