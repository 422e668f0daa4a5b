import type * as contract from '@wardline/contract/chat/message-templates.ts';
import { MESSAGE_TEMPLATES_MAX } from '@wardline/contract/chat/message-templates.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { facilityChannel } from '@wardline/contract/facilities/facilities.ts';
import { sql } from 'kysely';
import { manageTemplates } from '#/features/chat/core/policy.ts';
import { requireFacility } from '#/features/chat/core/require-chat.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { publication } from '#/platform/http/publish.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { newId } from '#/platform/new-id.ts';

type Context = Pick<RequestContext, 'actor' | 'write'>;

interface Place {
  readonly facilityId: string;
  readonly templateId: string;
}

export async function createMessageTemplate(
  { actor, write }: Context,
  { params, body: { title, body } }: Pick<InputOf<typeof contract.createMessageTemplate>, 'params' | 'body'>,
): Promise<ReplyOf<typeof contract.createMessageTemplate>> {
  const place = { facilityId: params.facility, templateId: newId() };
  requireManager(actor, place);
  return write('chat.template.create', async (tx) => {
    const known = await lockTemplates(tx, actor, place.facilityId);
    if (known.length >= MESSAGE_TEMPLATES_MAX)
      throw invalidField('title', `A facility has at most ${MESSAGE_TEMPLATES_MAX} templates.`);
    guardTitle(known, place, title);
    const row = { id: place.templateId, facility_id: place.facilityId, title, body, created_by: actor.userId };
    await tx.insertInto('message_templates').values(row).execute();
    return { result: { id: row.id, title, body, version: 1 }, ...changed(place, { version: 1 }) };
  });
}

export async function updateMessageTemplate(
  { actor, write }: Context,
  { params, body: given }: Pick<InputOf<typeof contract.updateMessageTemplate>, 'params' | 'body'>,
): Promise<ReplyOf<typeof contract.updateMessageTemplate>> {
  const place = { facilityId: params.facility, templateId: params.template };
  requireManager(actor, place);
  return write('chat.template.update', async (tx) => {
    const { expected_version, title, body } = given;
    const known = await lockTemplates(tx, actor, place.facilityId);
    const version = requireVersion(known, place, expected_version) + 1;
    guardTitle(known, place, title);
    await tx
      .updateTable('message_templates')
      .set({ title, body, version, updated_at: sql<Date>`now()` })
      .where('id', '=', place.templateId)
      .execute();
    return { result: { id: place.templateId, title, body, version }, ...changed(place, { version }) };
  });
}

export async function deleteMessageTemplate(
  { actor, write }: Context,
  { params, query }: Pick<InputOf<typeof contract.deleteMessageTemplate>, 'params' | 'query'>,
): Promise<undefined> {
  const place = { facilityId: params.facility, templateId: params.template };
  requireManager(actor, place);
  await write('chat.template.delete', async (tx) => {
    const version = requireVersion(await lockTemplates(tx, actor, place.facilityId), place, query.expected_version);
    await tx.deleteFrom('message_templates').where('id', '=', place.templateId).execute();
    return { result: undefined, ...changed(place, { version }) };
  });
}

/** A facility that is not one's own does not exist. */
function requireManager(actor: Actor, { facilityId }: Place): void {
  requireFacility(actor, facilityId);
  authorize(actor, manageTemplates, { facilityId });
}

interface Known {
  readonly id: string;
  readonly title: string;
  readonly version: number;
}

/** All templates of the facility, for who still manages them; no other transaction changes them until this one ends. */
async function lockTemplates(tx: DatabaseTransaction, actor: Actor, facilityId: string): Promise<readonly Known[]> {
  await tx.selectFrom('facilities').select('id').where('id', '=', facilityId).forNoKeyUpdate().execute();
  await authorizeNow(tx, actor, manageTemplates, { facilityId });
  return tx
    .selectFrom('message_templates')
    .select(['id', sql<string>`lower(title)`.as('title'), 'version'])
    .where('facility_id', '=', facilityId)
    .execute();
}

function requireVersion(known: readonly Known[], { templateId }: Place, expected: number): number {
  const found = known.find(({ id }) => id === templateId);
  if (!found) throw new AppError('not_found');
  if (found.version !== expected) throw new AppError('conflict');
  return found.version;
}

function guardTitle(known: readonly Known[], { templateId }: Place, title: string): void {
  const isTaken = known.some(({ id, title: taken }) => id !== templateId && taken === title.toLowerCase());
  if (isTaken) throw invalidField('title', 'There is a template of this title already.');
}

/** The audit entry, which holds no text, and the event for members, who ask again. */
function changed({ facilityId, templateId }: Place, detail: Readonly<Record<string, unknown>>) {
  const event = { facility_id: facilityId, template_id: templateId };
  return {
    audit: { facilityId, objectType: 'message_template', objectId: templateId, detail },
    publish: [publication(facilityChannel, facilityId, ['MessageTemplatesChanged', event])],
  };
}
