import type { exportAudit as endpoint } from '@wardline/contract/audit.ts';
import { csvLine } from '#/platform/files/csv.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Download, InputOf } from '#/platform/http/route.ts';
import { type AuditFilter, type AuditRow, findAuditIds, readAuditRows } from './audit-queries.ts';
import { formatAction } from './format-action.ts';
import { requireAudit, toFilter } from './list-audit.ts';

const AT_ONCE = 1_000;

/** The filtered audit as a file, the newest first, read as it is sent. That it is taken is stored before the first byte. */
export async function exportAudit(ctx: RequestContext, { params, query }: InputOf<typeof endpoint>): Promise<Download> {
  const facilityId = params.facility;
  requireAudit(ctx, facilityId);
  const filter = await toFilter(ctx, facilityId, query);
  await ctx.write('audit.export', async () => ({
    result: undefined,
    audit: { facilityId, objectType: 'facility', objectId: facilityId, detail: { ...query } },
  }));
  const range = [query.from, query.to].filter((day) => day !== undefined);
  return {
    fileName: ['audit', ...range].join('-').concat('.csv'),
    contentType: 'text/csv; charset=utf-8',
    body: csvOf(ctx, filter),
  };
}

const COLUMNS = [
  ...[
    'entry',
    'at_utc',
    'person',
    'person_id',
    'what',
    'action',
    'outcome',
    'times',
    'about_person',
    'about_person_id',
  ],
  ...['patient', 'patient_identifier', 'chat', 'chat_id', 'address'],
];

async function* csvOf({ db }: RequestContext, filter: AuditFilter): AsyncGenerator<string> {
  // A byte order mark: without one a spreadsheet reads the names wrong.
  yield `\uFEFF${csvLine(COLUMNS)}`;
  let before: number | null = null;
  do {
    const { ids, next } = await findAuditIds(db, filter, { before, limit: AT_ONCE });
    yield (await readAuditRows(db, ids)).map((row) => csvLine(cellsOf(row))).join('');
    before = next;
  } while (before !== null);
}

function cellsOf(row: AuditRow) {
  const { id, at, actor_name, actor_id, action, outcome, times, person_name, person_id } = row;
  return [
    ...[
      id,
      at.toISOString(),
      actor_name,
      actor_id,
      formatAction(action, row.endpoint),
      action,
      outcome,
      times,
      person_name,
      person_id,
    ],
    ...[row.patient_name, row.patient_identifier, row.chat_title, row.chat_id, row.ip],
  ];
}
