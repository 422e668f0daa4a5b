const CODE = /^[\w.-]{1,40}$/;
const REASON_LENGTH = 400;

/** A failure in words of ours: they name no person and may be stored and logged as they are. */
export class JobFailure extends Error {}

/**
 * What may be kept of a failure. The message of a foreign error can quote addresses, texts and secrets, so only its
 * name and its codes are taken.
 */
export function describeFailure(error: unknown): string {
  if (error instanceof JobFailure) return error.message.slice(0, REASON_LENGTH);
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const codes = [code, responseCode].map(String).filter((text) => text !== 'undefined' && CODE.test(text));
  return [CODE.test(error.name) ? error.name : 'Error', ...codes].join(' ');
}

/** Where in our code it failed: the frames of the stack, without the message before them, which can look like frames. */
export function placeOfFailure(error: unknown): string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  const start = error.stack.indexOf(error.message);
  const lines = start < 0 ? [] : error.stack.slice(start + error.message.length).split('\n');
  return lines.map((line) => line.trim()).filter((line) => /^at .+:\d+:\d+\)?$/.test(line));
}
