/** An instant as it is stored and told, in UTC; null for none. */
export function inUtc(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : new Date(text).toISOString();
}
