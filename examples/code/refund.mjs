// The code artifact with the id 1 of claim.json: what a customer gets back, never more than was paid.
export default function main({ claimed, quantity, unit_price }) {
  const paid = quantity * unit_price;
  const refund = Math.round(Math.min(claimed, paid) * 100) / 100;
  console.log(`claimed ${claimed}, paid ${paid}, refund ${refund}`);
  return { refund, within: claimed <= paid };
}
