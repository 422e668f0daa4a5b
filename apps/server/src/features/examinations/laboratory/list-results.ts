import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { listLaboratoryResults as endpoint, UnmatchedResult } from '@wardline/contract/examinations/laboratory.ts';
import { authorize, authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor } from '#/platform/http/cursor.ts';
import type { InputOf } from '#/platform/http/route.ts';
import type { ExaminationDeps } from '../core/deps.ts';
import { assignResults, seeLaboratory } from '../core/policy.ts';
import { listResults, type ResultRow } from './feed-queries.ts';

type Endpoint = typeof endpoint;

const USUAL = 20;
const MOST_CHATS = 200;

/** Results that wait for a person, with the chats that they could belong to. */
export function listLaboratoryResults(deps: ExaminationDeps) {
  return async (ctx: RequestContext, { params, query }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> => {
    const { facility: facilityId } = params;
    authorizeToKnow(ctx.actor, seeLaboratory, { facilityId });
    authorize(ctx.actor, assignResults, { facilityId });
    const { state = 'unmatched', limit = USUAL } = query;
    const before = query.cursor === undefined ? null : idCursor(query.cursor);
    const rows = await listResults(ctx.db, { facilityId, state, before, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const subjects = shown.map(({ id }) => ({ facilityId, objectType: 'laboratory_result', objectId: id }));
    await ctx.noteReads('result.view', subjects);
    const chats = await deps.chats.cases.writable(ctx.db, { facilityId, userId: ctx.actor.userId, limit: MOST_CHATS });
    return {
      data: shown.flatMap(toResult),
      next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
      chats: chats.map(({ id, name, identifier, bornOn }) => ({ id, patient: { name, identifier, born_on: bornOn } })),
    };
  };
}

const MOST_SHOWN = 30;

function toResult(row: ResultRow): UnmatchedResult[] {
  const { report, state, closed_by, closed_at } = row;
  if (report === null || (state !== 'unmatched' && state !== 'set_aside')) return [];
  const { title, status, laboratory, number, reportedAt, patient, findings } = report;
  const by = closed_by && row.closed_name !== null ? { user_id: closed_by, name: row.closed_name } : null;
  return [
    {
      ...{ id: row.id, title, status, laboratory, number, reported_at: reportedAt, state, version: row.version },
      received_at: row.received_at.toISOString(),
      patient: {
        ...{ name: patient.name, born_on: patient.bornOn },
        identifiers: [...new Set(patient.identifiers.map(({ value }) => value))],
      },
      findings: findings.slice(0, MOST_SHOWN).map(({ label, value, unit, interpretation, note }) => ({
        ...{ label, interpretation },
        value: [value, unit?.label].filter(Boolean).join(' ') || (note ?? ''),
      })),
      is_critical: row.is_critical,
      why: row.why ?? '',
      closed: by && closed_at ? { by, at: closed_at.toISOString(), reason: row.reason } : null,
    },
  ];
}
