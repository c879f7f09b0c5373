import { WrappedText } from "../../components/variants";

/** The error of code, and below it the extract of the code that the interpreter points at. */
export function CodeErrorText({ detail }: { detail: string }) {
  const [message, ...extract] = detail.trimEnd().split("\n");
  return (
    <>
      <WrappedText>{message}</WrappedText>
      {extract.length > 0 && (
        // Lines that wrap would move the caret away from its place.
        <pre className="code" style={{ whiteSpace: "pre", marginTop: 6 }} tabIndex={0} aria-label="Extract">
          {extract.join("\n")}
        </pre>
      )}
    </>
  );
}
