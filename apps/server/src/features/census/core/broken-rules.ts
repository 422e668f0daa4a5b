import { isReason, SHORTEST_REASON } from '@wardline/census/rules.ts';
import type { Finding } from '@wardline/contract/census/census.ts';
import type { ErrorCode } from '@wardline/contract/errors.ts';
import { AppError } from '#/platform/http/app-error.ts';

/** The refusal for broken rules: the first one's sentence, each at its field, and all of them with their codes. */
export function brokenRules(findings: readonly Finding[], code: ErrorCode = 'unprocessable'): AppError {
  const [first] = findings;
  if (!first) throw new Error('nothing was broken');
  if (code !== 'unprocessable') return new AppError(code, { message: first.message, findings });
  const fields = new Map<string, string[]>();
  for (const { field, message } of findings) {
    const name = field ?? 'report';
    fields.set(name, [...(fields.get(name) ?? []), message]);
  }
  return new AppError(code, { message: first.message, fields: Object.fromEntries(fields), findings });
}

/** The same for one rule. */
export function brokenRule(finding: Finding, code: ErrorCode = 'unprocessable'): AppError {
  return brokenRules([finding], code);
}

/** An act that takes something from somebody says why (CEN-R19). */
export function guardReason(reason: string): void {
  if (isReason(reason)) return;
  const message = `Enter a reason of at least ${SHORTEST_REASON} characters.`;
  throw brokenRule({ code: 'REASON_REQUIRED', field: 'reason', message });
}
