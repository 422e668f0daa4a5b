import { ApiError } from '@wardline/client/http/api-error.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';

/** Why an act on a report did not happen: the rules' own sentences, where there are some. */
export function formatAct(error: unknown): string {
  if (error instanceof ApiError && error.findings.length > 0) {
    return error.findings.map(({ message }) => message).join(' ');
  }
  return formatAction(error);
}
