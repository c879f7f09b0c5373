/** Whether the mail is still to be sent. */
export const isWaiting = (state: string) => state === "PENDING" || state === "SENDING";
