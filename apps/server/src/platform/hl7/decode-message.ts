/** HL7 table 0211, as far as one byte or UTF-8 stands for a letter. */
const CHARACTER_SETS: Readonly<Record<string, string>> = {
  ...{ '': 'utf-8', ASCII: 'utf-8', UNICODE: 'utf-8', 'UNICODE UTF-8': 'utf-8', 'UTF-8': 'utf-8' },
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 13, 15].map((part) => [`8859/${part}`, `iso-8859-${part}`])),
  '8859/9': 'windows-1254',
};

/** A message as text, by the character set that it names (MSH-18). Bytes that are none of it, or of one that is not known, become U+FFFD. */
export function decodeMessage(bytes: Buffer): string {
  const end = bytes.indexOf(0x0d);
  const head = bytes.toString('latin1', 0, end === -1 ? bytes.length : end);
  const mark = head.charAt(3);
  // MSH-1 is the mark itself: MSH-18 stands after 17 of them.
  const [said = ''] = (mark === '' ? '' : (head.split(mark)[17] ?? '')).split(/[~^]/);
  return new TextDecoder(CHARACTER_SETS[said.trim().toUpperCase()] ?? 'utf-8', { ignoreBOM: true }).decode(bytes);
}
