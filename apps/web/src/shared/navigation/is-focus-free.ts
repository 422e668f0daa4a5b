/** Whether nobody has put the focus where it is: it is nowhere, or at the heading that it was led to (follow-focus.ts). */
export function isFocusFree(): boolean {
  const { activeElement, body } = document;
  return (
    activeElement === null || activeElement === body || activeElement.matches('h1[tabindex="-1"], h2[tabindex="-1"]')
  );
}
