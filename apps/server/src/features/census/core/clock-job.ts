import type { Write } from '#/platform/http/context.ts';
import type { LogAuthor } from './append-log.ts';
import type { CensusDeps } from './deps.ts';

/** What every duty of the clock is given. */
export interface ClockParts extends CensusDeps {
  /** Nobody asks for what the clock does: its audit entries name the clock. */
  readonly write: Write;
  readonly author: LogAuthor;
  readonly now: Date;
}

/** Does one thing after the other; one that fails is logged and keeps none of the others from being done. */
export async function eachByItself<Item>(
  { log }: Pick<ClockParts, 'log'>,
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      log.error({ err: error, item }, 'the clock of the census failed at one of its things');
    }
  }
}
