// The chat model and the warehouse of showcase.mjs.
const LETTER = `# Your claim

Dear customer,

we are sorry that your bolts arrived rusty. We refund **100.00 EUR**, the price of the whole delivery, to the account
that you paid from. You need not send the bolts back.

Kind regards,
Brenner Tools`;

/** What the model says to the customer, by a word of the last message; a tool is called first. */
const CHAT = [
  {
    word: "Monday",
    tool: ["getDelivery", { claim: 4711 }],
    reply:
      "Order 4711 was delivered on Monday at 10:42, and your front desk signed for it:\n\n| Item | Quantity | Price |\n|---|---:|---:|\n| Bolts M8, zinc plated | 40 | 2.50 EUR |\n\nIs anything wrong with it?",
  },
  {
    word: "rusty",
    tool: ["Refund", { complaint: "Order 4711: the bolts arrived rusty, I want 119.50 EUR back." }],
    reply:
      "I am sorry about that. Our claims team has just approved a refund of **100.00 EUR**, the price of all 40 bolts. You get it within three working days, and you need not send the bolts back.",
  },
  { word: "2231", reply: "I have sent invoice 2231 to your billing address again." },
  {
    word: "stainless",
    reply: "Yes: 2,400 pieces in stock, 4.10 EUR each. From 200 pieces on the price is 3.60 EUR.",
  },
  { word: "Friday", reply: "Order 4729 leaves our warehouse today and arrives on Thursday." },
  { word: "forklift", reply: "The driver has a tail lift, so you need no forklift for a single pallet." },
  { word: "cancel", reply: "Order 4733 is cancelled. You have not been charged." },
];

/** What the warehouse delivered, by the number of the order. */
export const DELIVERIES = {
  4711: { item: "Bolts M8, zinc plated", quantity: 40, unit_price: 2.5 },
  4718: { item: "Wood screws 4 × 50", quantity: 12, unit_price: 1.5 },
  4722: { item: "Drill bits, set of 19", quantity: 1, unit_price: 64.9 },
  4725: { item: "Hex nuts M10", quantity: 240, unit_price: 0.36 },
};

/** The scripted model, an OpenAI-compatible endpoint. */
export function complete({ messages, tools = [] }) {
  const last = messages.at(-1);
  const texts = messages.map((each) => String(each.content ?? ""));
  // Inputs are JSON after an introduction.
  const inputs = texts.findLast((_, index) => messages[index].role === "user") ?? "";
  const { human_msg, complaint } = JSON.parse(/\{.*\}/s.exec(inputs)?.[0] ?? "{}");
  const asked = human_msg ?? complaint ?? inputs;
  const turn = CHAT.find((each) => asked.includes(each.word));
  let message = { role: "assistant", content: JSON.stringify({ reply: turn?.reply ?? "How can I help?" }) };
  if (turn?.tool && last.role !== "tool") {
    const name = tools.map((each) => each.function.name).find((each) => each.startsWith(turn.tool[0]));
    const call = { name, arguments: JSON.stringify(turn.tool[1]) };
    message = { role: "assistant", tool_calls: [{ id: "call_1", type: "function", function: call }] };
  } else if (texts[0].startsWith("Find the number")) {
    const [claim, claimed] = asked.match(/\d+(\.\d+)?/g).map(Number);
    message.content = JSON.stringify({ claim, claimed });
  } else if (texts[0].startsWith("Write a short")) {
    message.content = JSON.stringify({ letter: LETTER });
  } else if (texts[0].startsWith("Read the invoice")) {
    message.content = JSON.stringify({
      total: Number(/(\d+\.\d\d) EUR/.exec(asked)[1]),
      currency: "EUR",
      due: "2027-01-15T00:00:00Z",
    });
  }
  return {
    model: "model",
    choices: [{ message, finish_reason: message.tool_calls ? "tool_calls" : "stop" }],
    usage: { prompt_tokens: 412, completion_tokens: 96 },
  };
}
