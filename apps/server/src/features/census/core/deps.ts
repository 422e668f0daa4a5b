import type { RequestContext } from '#/platform/http/context.ts';
import type { Publish } from '#/platform/http/publish.ts';
import type { Log } from '#/platform/log.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import type { Threads } from '#/platform/threads/threads.ts';

/** What the census needs of the rest of the product. */
export interface CensusDeps {
  readonly db: RequestContext['db'];
  readonly log: Log;
  readonly threads: Threads;
  /** Key of the hashes under which visits of the patient system are kept. */
  readonly feedSecret: Buffer;
  /** For what the clock does; what a request does is published by its write. */
  readonly publish: Publish;
  readonly mailer: Mailer;
  /** Where the product is, for links in mails. */
  readonly publicUrl: () => string;
  readonly productName: string;
  /** Something was put into the queue. */
  readonly nudgeJobs: () => void;
}
