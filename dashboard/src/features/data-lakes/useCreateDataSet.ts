import { useMutation } from "@tanstack/react-query";
import { refetch, useOrganizationId, type Schemas } from "../../api";
import { useGoTo } from "../../components/PageLink";

/** Creates a data set and opens its page, unless the user has left the form. */
export function useCreateDataSet<Input>(
  onBusy: (busy: boolean) => void,
  create: (input: Input) => Promise<Schemas["DataLake"]>,
) {
  const orgId = useOrganizationId();
  const goTo = useGoTo();
  const creation = useMutation({
    mutationFn: create,
    onMutate: () => onBusy(true),
    onSettled: () => {
      onBusy(false);
      return refetch(orgId, "data-lakes");
    },
  });
  return {
    ...creation,
    mutate: (input: Input, options: { onError: (error: unknown) => void }) =>
      creation.mutate(input, {
        ...options,
        onSuccess: ({ id }) => void goTo(`data/${id}`, { replace: true }),
      }),
  };
}
