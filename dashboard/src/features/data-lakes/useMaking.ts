import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { Schemas } from "../../api/client";
import { queryClient } from "../../queryClient";

/**
 * Makes a data set of what a form holds, and then leads to it; whoever has left the form meanwhile stays where they are.
 */
export function useMaking<Wanted>(
  orgId: string,
  onBusy: (busy: boolean) => void,
  make: (wanted: Wanted) => Promise<Schemas["DataLake"]>,
) {
  const navigate = useNavigate();
  const making = useMutation({
    mutationFn: make,
    onMutate: () => onBusy(true),
    onSettled: () => {
      onBusy(false);
      return queryClient.invalidateQueries({ queryKey: ["organization", orgId, "data-lakes"] });
    },
  });
  return {
    ...making,
    start: (wanted: Wanted) =>
      making.mutate(wanted, {
        onSuccess: ({ id }) => void navigate(`/organizations/${orgId}/data/${id}`, { replace: true }),
      }),
  };
}
