/** What a failure says, with its code where a system gives one. */
export function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  const cause = failure.cause instanceof Error ? failure.cause : failure;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  const text = cause.message || failure.message;
  return code === null || text.includes(code) ? text : `${text} (${code})`;
}
