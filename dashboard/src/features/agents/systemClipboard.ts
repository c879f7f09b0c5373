/** Copies for browsers and pages that give no access to the clipboard. */
let kept = "";

/** Writes text to the clipboard from a menu; the keyboard uses the events of the browser instead. */
export async function writeClipboard(text: string | null) {
  if (text === null) {
    return;
  }
  kept = text;
  // Undefined on pages without HTTPS.
  await (navigator.clipboard as Clipboard | undefined)?.writeText(text).catch(() => undefined);
}

export async function readClipboard(): Promise<string> {
  const text = await (navigator.clipboard as Clipboard | undefined)?.readText().catch(() => undefined);
  return text ?? kept;
}
