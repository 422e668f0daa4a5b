import type { Finding } from '@wardline/contract/census/census.ts';
import { ERRORS, type ErrorBody, type ErrorCode } from '@wardline/contract/errors.ts';
import type { Quota } from './context.ts';

interface AppErrorOptions {
  /** Replaces the code's own sentence. */
  readonly message?: string;
  /** Field → what is wrong with it. */
  readonly fields?: Readonly<Record<string, string[]>>;
  /** Rules of the census that were broken. */
  readonly findings?: readonly Finding[];
  readonly retryAfterS?: number;
  /** Of which limit a 429 speaks. */
  readonly quota?: Quota;
  readonly cause?: unknown;
}

/** A refusal with a code of the closed list; everything else that is thrown answers 500 and says nothing. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: AppErrorOptions['fields'];
  readonly findings: AppErrorOptions['findings'];
  readonly retryAfterS: number | undefined;
  readonly quota: Quota | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = options.fields;
    this.findings = options.findings;
    this.retryAfterS = options.retryAfterS;
    this.quota = options.quota;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  body(): ErrorBody {
    return {
      message: this.message,
      code: this.code,
      ...(this.fields && { errors: { ...this.fields } }),
      ...(this.findings && { findings: [...this.findings] }),
    };
  }
}

/** 422 with one field. Laravel's message is the first field's text. */
export function invalidField(field: string, text: string): AppError {
  return new AppError('unprocessable', { message: text, fields: { [field]: [text] } });
}
