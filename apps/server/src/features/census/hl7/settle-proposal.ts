import type { Acting, Done } from '#/features/census/reports/change-unit-day.ts';
import { closeProposal, findOpenProposal } from './proposal-queries.ts';
import { proposalValues } from './proposal-values.ts';

/**
 * A correction that is approved answers what was proposed: it took it, or it found something else, and then its own words say
 * why.
 */
export async function settleProposal({ tx, facts, actor }: Acting): Promise<Done['entries']> {
  const { report, key } = facts;
  if (!report?.amend_code) return [];
  const open = await findOpenProposal(tx, key);
  if (!open) return [];
  const { signed: before, told: after } = proposalValues(open.counts);
  if (open.counts.every(({ field, told }) => report[field] === told)) {
    await closeProposal(tx, { id: open.id, state: 'taken', by: actor.userId, reason: null });
    return [{ action: 'proposal.take', before, after, afterApproval: true }];
  }
  const reason = report.amend_reason;
  await closeProposal(tx, { id: open.id, state: 'dismissed', by: actor.userId, reason });
  return [{ action: 'proposal.dismiss', before, after, reason }];
}
