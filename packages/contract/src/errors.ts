import * as z from 'zod/mini';
import { keyed } from './values.ts';

/**
 * The closed list of what can go wrong, each with its status and its sentence. The bodies have Laravel's shape
 * (`message`, and on 422 `errors`), so that a client made for a Laravel back end reads them; `code` is ours.
 */
export const ERRORS = {
  bad_request: { status: 400, message: 'The request could not be read.' },
  unauthenticated: { status: 401, message: 'Unauthenticated.' },
  forbidden: { status: 403, message: 'This action is unauthorized.' },
  second_factor_needed: { status: 403, message: 'This facility needs a second factor. Set one up in your settings.' },
  facility_closed: { status: 403, message: 'This facility was closed by the system administrator.' },
  not_found: { status: 404, message: 'Not found.' },
  method_not_allowed: { status: 405, message: 'This address does not take that method.' },
  conflict: { status: 409, message: 'Someone changed this in the meantime.' },
  client_id_reused: {
    status: 409,
    message: 'This was sent before with something else in it. Reload the page to see what was kept.',
  },
  precondition_failed: { status: 412, message: 'The request could not be read.' },
  payload_too_large: { status: 413, message: 'The request is too large.' },
  unsupported_media_type: { status: 415, message: 'Send application/json.' },
  csrf_mismatch: { status: 419, message: 'CSRF token mismatch.' },
  two_factor_required: { status: 422, message: 'Enter the code of your authenticator app, or a recovery code.' },
  unprocessable: { status: 422, message: 'The given data was invalid.' },
  password_unconfirmed: { status: 423, message: 'Password confirmation required.' },
  too_many_requests: { status: 429, message: 'Too many requests.' },
  server_error: { status: 500, message: 'Server error.' },
  bad_gateway: { status: 502, message: 'Another server did not answer as it should.' },
  unavailable: { status: 503, message: 'The service is not available right now.' },
  storage_full: { status: 507, message: 'The server has no room left. Nothing was stored.' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** A rule of the domain that was broken, with its code, and the field at which the person acted. */
const BrokenRule = z.object({ code: z.string(), field: z.nullable(z.string()), message: z.string() });
export type BrokenRule = z.infer<typeof BrokenRule>;

/**
 * The body of every answer from 400 to 599. `errors` names fields as `field` or `field.inner`; `findings` are the rules of the
 * census that were broken.
 */
export const ErrorBody = z.object({
  message: z.string(),
  code: z.optional(z.string()),
  errors: z.optional(keyed(z.array(z.string()))),
  findings: z.optional(z.array(BrokenRule)),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
