import { toPresentNames } from '@wardline/census/log/stored-names.ts';
import { askOrRead as askOrReadAny, type Copy, type CopyOptions } from '#/shared/queries/kept-answer.ts';

export { askAndKeep, type Copy } from '#/shared/queries/kept-answer.ts';

/** Asks the server and keeps its answer; without a network the answer before is read from the device, by whatever names it was kept. */
export function askOrRead<Value>(options: Omit<CopyOptions<Value>, 'read'>): Promise<Copy<Value>> {
  return askOrReadAny({ ...options, read: toPresentNames });
}
