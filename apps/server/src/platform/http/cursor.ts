import { Id } from '@wardline/contract/values.ts';
import { type AppError, invalidField } from './app-error.ts';

/** What a list answers to a cursor that it did not give. */
export function wrongCursor(): AppError {
  return invalidField('cursor', 'This is not a cursor of this list.');
}

/** Of lists whose cursor is the id of the last row that was given. */
export function idCursor(cursor: string): string {
  if (!Id.safeParse(cursor).success) throw wrongCursor();
  return cursor;
}
