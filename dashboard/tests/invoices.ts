import { service, testRun, ticketOf, type Api } from "./parley";

export const INVOICES = {
  name: "Invoices",
  assignment_rules: [{ rule_type: "Human Feedback", assignment_type: "User", assignee_id: "" }],
  tasks: [
    {
      id: "approve",
      kind: "Human",
      name: "Approve invoice",
      instructions: "Check **the total**.",
      due_in_minutes: 60,
      input_parameters: [
        {
          name: "supplier",
          type: "STRING",
          description: "Who sent it",
          required: true,
          source: "human_input",
        },
      ],
      expected_output: [
        { name: "approved", type: "BOOLEAN", description: "Whether it is paid" },
        { name: "amount", type: "FLOAT", description: "How much" },
        { name: "note", type: "STRING", description: "Why" },
      ],
    },
  ],
};

/** Opens a ticket for each supplier and returns the tickets' IDs. */
export async function invoices(api: Api, ...suppliers: string[]): Promise<string[]> {
  const [rule] = INVOICES.assignment_rules;
  const assignment_rules = [{ ...rule, assignee_id: service.user }];
  const { id } = await api.post("workflows", { ...INVOICES, assignment_rules });
  const tickets: string[] = [];
  for (const supplier of suppliers) {
    // oxlint-disable-next-line no-await-in-loop -- the order of the tickets
    tickets.push(ticketOf(await testRun(api, id, { inputs: { supplier } })));
  }
  return tickets;
}
