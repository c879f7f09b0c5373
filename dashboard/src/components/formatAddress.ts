/** An IP address for people: the machine's own addresses as "localhost". */
export const formatAddress = (address: string) =>
  address === "::1" || address.startsWith("127.") ? "localhost" : address;
