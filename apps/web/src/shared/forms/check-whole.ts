interface Bounds {
  /** The words of the label: 'Days'. */
  readonly label: string;
  readonly least: number;
  readonly most: number;
}

/** What is wrong with a whole number in a field, in the words of its label; undefined where nothing is. */
export function checkWhole(text: string, { label, least, most }: Bounds): string | undefined {
  const isWhole = /^-?\d+$/.test(text.trim());
  const value = Number(text);
  if (isWhole && value >= least && value <= most) return undefined;
  return `${label}: a whole number from ${least} to ${most}.`;
}
