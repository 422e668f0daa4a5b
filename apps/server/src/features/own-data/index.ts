// One's own data (ACC-5): a copy of it, made by a job out of the lists that each feature brings and kept for a day for its person; and
// for how long what is kept.
import * as contract from '@wardline/contract/account/own-data.ts';
import type { Database } from '#/platform/db/database.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { type Route, route } from '#/platform/http/route.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import type { OwnDataList } from '#/platform/own-data.ts';
import { listDataCopies } from './copy-queries.ts';
import { downloadDataCopy } from './download-copy.ts';
import { getRecorded, type KeptFor } from './get-recorded.ts';
import { mailCopyReady } from './mail-copy-ready.ts';
import { makeCopy } from './make-copy.ts';
import { purgeCopies } from './purge-copies.ts';
import { COPY_JOB, COPY_MAIL_JOB, requestDataCopy } from './request-copy.ts';

interface OwnDataDeps {
  readonly db: Database;
  readonly files: FileStore;
  readonly mailer: Mailer;
  readonly productName: string;
  readonly publicUrl: () => string;
  readonly keptFor: KeptFor;
  /** What a copy is made of, in its order. */
  readonly lists: readonly OwnDataList[];
}

export interface OwnDataFeature {
  readonly routes: readonly Route[];
  readonly jobHandlers: Readonly<Record<string, JobHandler>>;
  purge(): Promise<void>;
}

export function ownDataFeature(deps: OwnDataDeps): OwnDataFeature {
  return {
    routes: [
      route(contract.requestDataCopy, requestDataCopy),
      route(contract.listDataCopies, listDataCopies),
      route(contract.downloadDataCopy, downloadDataCopy(deps)),
      route(contract.getRecorded, getRecorded(deps)),
    ],
    jobHandlers: { [COPY_JOB]: makeCopy(deps), [COPY_MAIL_JOB]: mailCopyReady(deps) },
    purge: () => purgeCopies(deps),
  };
}
