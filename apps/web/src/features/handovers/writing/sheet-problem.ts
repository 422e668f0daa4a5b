import { ApiError } from '@wardline/client/http/api-error.ts';
import { formErrors } from '#/shared/forms/form-errors.ts';
import { type SheetDraft, signedLines } from './sheet-draft.ts';

/** What is in the way of a signature, and where that is said. */
export interface Problem {
  /** A field of the form, or the key of a line. */
  readonly field: string;
  readonly text: string;
}

const LINE = /^sheet\.lines\.(\d+)$/;

/** Where a refusal is said: at the line, or the field, that is the reason. */
export function placeProblem(error: unknown, draft: SheetDraft): Problem {
  const fields = error instanceof ApiError ? error.fieldErrors : {};
  for (const [name, said] of Object.entries(fields)) {
    const [, place] = LINE.exec(name) ?? [];
    const line = place === undefined ? undefined : signedLines(draft)[Number(place)];
    if (line) return { field: line.key, text: said.join(' ') };
    if (name === 'to' || name === 'reason') return { field: name, text: said.join(' ') };
    if (name === 'sheet.severity') return { field: 'severity', text: said.join(' ') };
  }
  return { field: 'general', text: formErrors(error, []).general ?? '' };
}
