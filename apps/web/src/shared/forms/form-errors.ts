import { ApiError, statusOf } from '@wardline/client/http/api-error.ts';
import { formatFailure, formatWait } from '#/shared/errors/format-error.ts';

/** What is wrong with a form, in sentences: at its fields, and what has no field. */
export interface FormErrors<Name extends string> {
  readonly fields: Partial<Readonly<Record<Name, string>>>;
  readonly general: string | null;
}

export const noErrors = { fields: {}, general: null } as const;

/**
 * Where the server's sentences go: to the fields that the form has, the rest above it. `fieldOf` names the field of the
 * form for one that the server calls otherwise.
 */
export function formErrors<Name extends string>(
  error: unknown,
  names: readonly Name[],
  fieldOf?: (name: string) => Name | undefined,
): FormErrors<Name> {
  const fields: Partial<Record<Name, string>> = {};
  const rest: string[] = [];
  for (const [given, sentences] of Object.entries(error instanceof ApiError ? error.fieldErrors : {})) {
    const field = names.find((name) => name === (fieldOf?.(given) ?? given));
    if (field === undefined) rest.push(...sentences);
    else if (sentences.length > 0) fields[field] = [...(fields[field] ? [fields[field]] : []), ...sentences].join(' ');
  }
  const isPlaced = Object.keys(fields).length > 0;
  return { fields, general: rest.join(' ') || (isPlaced ? null : formatAction(error)) };
}

/** Why something that was asked for did not happen, and what to do about it. */
export function formatAction(error: unknown): string {
  if (!(error instanceof ApiError)) return formatFailure(error);
  const said = Object.values(error.fieldErrors).flat();
  if (said.length > 0) return said.join(' ');
  if (error.status === 429) return `Too many attempts. ${formatWait(error.retryAfterMs)}`;
  if (error.status === 419) return 'This page was open for too long. Try again.';
  if (error.status === 500 || error.code === 'malformed_reply' || error.code === 'redirected')
    return 'The server failed. What you entered is still here; try again.';
  return formatFailure(error);
}

/** True where the server knows no such link (any more): one of the wrong form is refused for its form. */
export function isLinkGone(error: unknown): boolean {
  return [400, 404, 410, 422].includes(statusOf(error));
}
