/**
 * Leads whoever sent a form to the first of its fields that is wrong; of a group that is marked so (`data-invalid`), to its first choice.
 * Where no field is, what is said of all of it comes into view. Call it once the errors are drawn.
 */
export function showFirstError(form: HTMLFormElement | null): void {
  const wrong = '[aria-invalid="true"], [data-invalid] :is(input, select)';
  const field = form?.querySelector<HTMLElement>(wrong);
  if (field) field.focus();
  else form?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
}
