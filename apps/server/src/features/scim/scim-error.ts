import { AppError } from '#/platform/http/app-error.ts';

export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** A refusal as RFC 7644, section 3.12 has it. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | null;

  constructor(status: number, scimType: ScimType | null, detail: string) {
    super(detail);
    this.name = 'ScimError';
    this.status = status;
    this.scimType = scimType;
  }
}

export function invalid(scimType: ScimType, detail: string): ScimError {
  return new ScimError(400, scimType, detail);
}

/** What was thrown, as SCIM says it; what nobody meant to throw says nothing of itself. */
export function toScimError(error: unknown): ScimError {
  if (error instanceof ScimError) return error;
  if (error instanceof AppError) {
    if (error.code === 'unprocessable') return invalid('invalidValue', error.message);
    return new ScimError(error.status, null, error.message);
  }
  const status = error instanceof Error ? Number((error as { statusCode?: unknown }).statusCode) : Number.NaN;
  if (status === 415) return new ScimError(415, null, 'Send application/scim+json.');
  if (status === 413) return new ScimError(413, null, 'At most 256 kB.');
  if (status >= 400 && status < 500) return invalid('invalidSyntax', 'The request could not be read.');
  return new ScimError(500, null, 'The service failed.');
}

export function errorBody({ status, scimType, message }: ScimError) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType !== null && { scimType }),
    detail: message,
  };
}
