import { AppError } from './app-error.ts';

const DEPTH_LIMIT = 32;

/** The body as a value: nothing sent is an empty object; deeper than 32 levels is refused. */
export function readBody(body: unknown): unknown {
  if (body === undefined || body === null || body === '') return {};
  if (depthOf(body, 0) > DEPTH_LIMIT) throw new AppError('bad_request');
  return body;
}

function depthOf(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null || depth > DEPTH_LIMIT) return depth;
  let deepest = depth;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, depth + 1));
  return deepest;
}
