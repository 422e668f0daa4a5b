import type { ParamsOf } from '@wardline/contract/endpoint.ts';
import type { exportInvitationImport as endpoint } from '@wardline/contract/facilities/invitation-imports.ts';
import { requireManager } from '#/features/invitations/core/require-manager.ts';
import { csvLine } from '#/platform/files/csv.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Download } from '#/platform/http/route.ts';

const OUTCOMES: Readonly<Record<string, string>> = {
  waiting: 'waits',
  invited: 'invited, mail to be sent',
  mailed: 'invited, mail sent',
  refused: 'not invited',
};

/** What became of each line of a file of people. A spreadsheet takes no cell of it for a formula. */
export async function exportInvitationImport(
  { actor, write }: Pick<RequestContext, 'actor' | 'write'>,
  { params }: { params: ParamsOf<typeof endpoint> },
): Promise<Download> {
  const { facility: facilityId, import: importId } = params;
  requireManager(actor, facilityId);
  const lines = await write('invitation.import_export', async (tx) => {
    const found = await tx
      .selectFrom('invitation_import_lines')
      .select(['line', 'email', 'name', 'title', 'state', 'problem'])
      .where('import_id', '=', importId)
      .where('facility_id', '=', facilityId)
      .orderBy('line')
      .execute();
    if (found.length === 0) throw new AppError('not_found');
    return { result: found, audit: { facilityId, objectType: 'invitation_import', objectId: importId } };
  });
  const body = lines.map(({ line, email, name, title, state, problem }) =>
    csvLine([line, email, name, title, OUTCOMES[state] ?? state, problem]),
  );
  const head = csvLine(['line', 'email', 'name', 'title', 'outcome', 'why']);
  return { fileName: 'invited-people.csv', contentType: 'text/csv; charset=utf-8', body: [head, ...body].join('') };
}
