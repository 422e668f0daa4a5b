/**
 * Leads whoever sent a form to the first of its fields that is wrong. Of a group that is marked so (`data-invalid`) that is its first choice;
 * why is said above it. Where no field is wrong, what is said of all of the form comes into view. Call it once the errors are drawn.
 */
export function showFirstError(form: HTMLElement | null): void {
  const wrong = '[aria-invalid="true"], [data-invalid] :is(input, select)';
  const field = form?.querySelector<HTMLElement>(wrong);
  if (field) field.focus();
  else form?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
}
