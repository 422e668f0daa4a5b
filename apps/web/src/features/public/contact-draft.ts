// The prefix of all drafts in this tab: a sign-out takes them together.
const key = 'wardline-draft:contact';

/** What is being written to the operator, in this tab: a reload or a look at another page does not cost it. */
export const contactDraft = {
  read: (): string => attempt(() => sessionStorage.getItem(key)) ?? '',
  keep(text: string): void {
    attempt(() => (text === '' ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, text)));
  },
};

// Storage may be closed or full; the field itself is then all there is.
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
