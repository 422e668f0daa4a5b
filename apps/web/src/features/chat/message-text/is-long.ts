/** More than a screen of a phone. */
const LONG_LINES = 16;

/** About how many letters of middle width stand in a line: of a phone, or of the measure that a line keeps to. */
const PER_LINE = { phone: 40, wide: 72 } as const;

/** Letters of other scripts without cases among them; W and M are the widest of ours. */
const wide = /[WM\p{Lo}\p{Extended_Pictographic}]/u;
const capital = /\p{Lu}/u;

/** Whether a text is folded: by about how many lines it takes, those that are broken for want of room among them. */
export function isLong(body: string): boolean {
  const isPhone = window.matchMedia('(max-width: 767px)').matches;
  return countLines(body, isPhone ? PER_LINE.phone : PER_LINE.wide) > LONG_LINES;
}

function countLines(body: string, perLine: number): number {
  const lines = body.split('\n');
  // Most messages: not long even if every letter were a wide one.
  if (lines.length + (2 * body.length) / perLine <= LONG_LINES) return lines.length;
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / perLine)), 0);
}

function widthOf(line: string): number {
  let width = 0;
  for (const letter of line) width += wide.test(letter) ? 2 : capital.test(letter) ? 1.4 : 1;
  return width;
}
