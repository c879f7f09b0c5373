// The code artifact with the id 1 of order-total.json: what an order costs.
const VAT = 0.19;

const cents = (amount) => Math.round(amount * 100) / 100;

export default function main({ items }) {
  const net = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  // From 400 on, the customer pays a fifth less.
  const discount = net >= 400 ? net * 0.2 : 0;
  console.log(`${items.length} items, net ${net}, discount ${discount}`);
  return {
    total: cents((net - discount) * (1 + VAT)),
    lines: items.map(({ name, quantity }) => `${quantity} x ${name}`).join('\n'),
  };
}
