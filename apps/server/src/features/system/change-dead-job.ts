import type { ParamsOf } from '@wardline/contract/endpoint.ts';
import type * as contract from '@wardline/contract/facilities/system.ts';
import { sql } from 'kysely';
import { AppError } from '#/platform/http/app-error.ts';
import { requireOperator } from '#/platform/http/authorization/require-operator.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import { noteDueJobs } from '#/platform/jobs/jobs.ts';

/** Lets a job that was given up begin again with all its tries, or removes it. One that is still tried is left alone. */
export function changeDeadJob(what: 'retry' | 'discard') {
  return async (
    { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
    { params: { job: id } }: { params: ParamsOf<typeof contract.retryJob> },
  ): Promise<undefined> => {
    requireOperator(actor);
    await write(`job.${what}`, async (tx) => {
      const changed = what === 'retry' ? await beginAgain(tx, id) : await remove(tx, id);
      if (!changed) throw new AppError('not_found');
      return {
        result: undefined,
        audit: { objectType: 'job', objectId: id, detail: { kind: changed.kind } },
      };
    });
  };
}

function beginAgain(tx: Transaction, id: string) {
  noteDueJobs(tx);
  return tx
    .updateTable('jobs')
    .set({ dead_at: null, attempts: 0, run_at: sql`now()`, last_error: null })
    .where('id', '=', id)
    .where('dead_at', 'is not', null)
    .returning('kind')
    .executeTakeFirst();
}

function remove(tx: Transaction, id: string) {
  return tx
    .deleteFrom('jobs')
    .where('id', '=', id)
    .where('dead_at', 'is not', null)
    .returning('kind')
    .executeTakeFirst();
}
