import { Autocomplete, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { createDataLake, useDataLakes, useOrganizationId } from "../../api";
import { nameError } from "../../components/nameError";
import { Form } from "../../components/Form";
import { formatOf, type Format } from "./formats";
import { NameAndFormatFields } from "./NameAndFormatFields";
import { useCreateDataSet } from "./useCreateDataSet";

/** Creates a data set from S3 objects. */
export function S3Form({ prefixes, onBusy }: { prefixes: string[]; onBusy: (busy: boolean) => void }) {
  const orgId = useOrganizationId();
  const form = useForm({
    initialValues: { name: "", format: null as Format | null, s3_uri: prefixes[0] ?? "" },
    transformValues: (values) => ({ ...values, format: values.format ?? formatOf(values.s3_uri) }),
  });
  const { format, s3_uri: uri } = form.getTransformedValues();
  const taken = nameError(useDataLakes().data, form.values.name);
  const create = useCreateDataSet(onBusy, async (dataSet: ReturnType<typeof form.getTransformedValues>) => {
    const { data_lake } = await createDataLake(orgId, {
      name: dataSet.name.trim(),
      format: dataSet.format!,
      s3_uri: dataSet.s3_uri.trim(),
    });
    return data_lake;
  });
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
