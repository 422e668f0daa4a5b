import type { ParamsOf, QueryOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type { listInvitationImports as endpoint } from '@wardline/contract/facilities/invitation-imports.ts';
import { sql } from 'kysely';
import { requireManager } from '#/features/invitations/core/require-manager.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { idCursor } from '#/platform/http/cursor.ts';

const PAGE = 20;

interface ImportRow {
  readonly id: string;
  readonly created_by_name: string;
  readonly created_at: Date;
  readonly waiting: number;
  readonly invited: number;
  readonly mailed: number;
  readonly refused: number;
}

const imports = typedRows<ImportRow>({
  ...{ id: 'string', created_by_name: 'string', created_at: 'date' },
  ...{ waiting: 'number', invited: 'number', mailed: 'number', refused: 'number' },
});

interface Input {
  readonly params: ParamsOf<typeof endpoint>;
  readonly query: QueryOf<typeof endpoint>;
}

/** The files of people of a facility, the newest first. The cursor is the id of the last. */
export async function listInvitationImports(
  { actor, db }: Pick<RequestContext, 'actor' | 'db'>,
  { params, query }: Input,
): Promise<ReplyOf<typeof endpoint>> {
  requireManager(actor, params.facility);
  const before = query.cursor === undefined ? null : idCursor(query.cursor);
  const limit = query.limit ?? PAGE;
  const count = (state: string) => sql`count(*) filter (where l.state = ${state})::int`;
  const rows = await imports.read(
    db,
    sql`
    select i.id, u.name as created_by_name, i.created_at, c.* from invitation_imports i
    join users u on u.id = i.created_by
    cross join lateral (
      select ${count('waiting')} as waiting, ${count('invited')} as invited, ${count('mailed')} as mailed,
        ${count('refused')} as refused
      from invitation_import_lines l where l.import_id = i.id
    ) c
    where i.facility_id = ${params.facility} and (${before}::uuid is null or i.id < ${before}::uuid)
    order by i.id desc limit ${limit + 1}`,
  );
  const page = rows.slice(0, limit);
  return {
    data: page.map(({ id, created_by_name, created_at, ...counts }) => ({
      ...{ id, created_by_name, created_at: created_at.toISOString(), counts },
    })),
    next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
