import { ApiError } from '@wardline/client/http/api-error.ts';

/** Something that is wrong before it is sent, said at its fields as the server would. */
export function refusal(fields: Readonly<Record<string, string>>): ApiError {
  const fieldErrors = Object.fromEntries(Object.entries(fields).map(([name, sentence]) => [name, [sentence]]));
  return new ApiError('Some fields are wrong.', { status: 422, code: 'unprocessable', fieldErrors });
}
