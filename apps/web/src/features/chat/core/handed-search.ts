let handed = '';

/** Keeps what was typed elsewhere for the page of the search, which is about to open. */
export function handSearch(text: string): void {
  handed = text;
}

/** What was handed over, once. */
export function takeSearch(): string {
  const taken = handed;
  handed = '';
  return taken;
}
