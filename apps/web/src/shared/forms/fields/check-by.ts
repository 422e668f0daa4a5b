import * as z from 'zod/mini';

/** What the contract says of a text that was entered, before it is sent; undefined where it takes it. */
export function checkBy(rule: z.ZodMiniType, text: string): string | undefined {
  return z.safeParse(rule, text).error?.issues[0]?.message;
}
