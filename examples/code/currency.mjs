// Converts US dollars by the rates of the European Central Bank. If they could not be read, it uses those below.
const STORED = { AUD: 1.79, CHF: 0.93, GBP: 0.87, JPY: 178.2, SEK: 10.98, USD: 1.16 };

const cents = (amount) => Math.round(amount * 100) / 100;

export default function main({ rates: answer, amount, status }) {
  const perEuro = status === 200 ? JSON.parse(answer).rates : STORED;
  const converted = cents(amount / perEuro.USD);
  const lines = Object.entries(perEuro).map(([name, rate]) => `${name},${cents(converted * rate)}`);
  console.log(`${lines.length} rates${status === 200 ? '' : ', stored ones'}`);
  return { converted, table: ['currency,amount', ...lines].join('\n') };
}
