export const isOpen = ({ status }: { status: string }) => status === "OPEN" || status === "IN_PROGRESS";
