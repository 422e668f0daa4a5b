/** A text as searches compare it: without case and accents. */
export function plainText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** True where every word of a search occurs in a text, wherever and in whatever order. */
export function hasEveryWord(text: string, search: string): boolean {
  const plain = plainText(text);
  return plainText(search)
    .split(/\s+/)
    .every((word) => plain.includes(word));
}
