import type { Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { enqueueJob } from '#/platform/jobs/jobs.ts';
import { newId } from '#/platform/new-id.ts';
import { ADMITTED } from './admitted-mail.ts';
import { attributesOf, type Resource, toUser } from './resources.ts';
import { auditOf, mustMatch, notFound, type ScimContext } from './scim-context.ts';
import type { Holder, ScimDeps } from './scim-deps.ts';
import { ScimError } from './scim-error.ts';
import { findUser, putScimUser, type UserRow } from './scim-queries.ts';
import { patchUser, readUser, type UserAttributes } from './user-attributes.ts';

type Deps = Pick<ScimDeps, 'accounts' | 'directory' | 'rightsChanged'>;

export async function getUser(ctx: ScimContext, id: string): Promise<Resource> {
  const row = await findUser(ctx.db, ctx.maker.facilityId, id);
  if (!row) throw notFound();
  return toUser(row, ctx.origin);
}

/**
 * A joiner. Whose the address is already, and has verified it, is let in with the account that they have, of which nothing
 * changes; otherwise an account is made, whose password is drawn by lot. They are told by mail.
 */
export async function createUser(deps: Deps, ctx: ScimContext, body: unknown): Promise<Resource> {
  const user = readUser(body);
  const { facilityId } = ctx.maker;
  const passwordHash = await deps.accounts.unusableHash();
  return ctx.write('scim.user.create', async (tx) => {
    const holder = await deps.directory.hold(tx, ctx.maker);
    const account = await findAccount(tx, user.email);
    if (account && !account.is_usable) throw taken();
    const userId = account?.id ?? newId();
    if (account && (await findUser(tx, facilityId, userId))) throw taken();
    const name = user.displayName ?? ([user.givenName, user.familyName].filter(Boolean).join(' ') || user.userName);
    if (!account && !(await deps.accounts.insert(tx, newAccount({ userId, name, user, passwordHash })))) throw taken();
    await put(tx, holder, userId, user);
    const told = user.isActive ? await admit(deps, tx, { holder, userId, title: user.title, isNew: !account }) : [];
    return {
      result: await shown(tx, ctx, userId),
      audit: {
        ...auditOf(ctx, { account: account ? 'found' : 'made', active: user.isActive }),
        ...{ objectType: 'user', objectId: userId },
      },
      publishToAll: told,
      afterCommit: () => deps.rightsChanged(userId),
    };
  });
}

function newAccount({
  userId,
  name,
  user,
  passwordHash,
}: {
  userId: string;
  name: string;
  user: UserAttributes;
  passwordHash: string;
}) {
  return { id: userId, name: name.slice(0, 120), email: user.email, password_hash: passwordHash };
}

export function replaceUser(deps: Deps, ctx: ScimContext, id: string, body: unknown): Promise<Resource> {
  return changeUser(deps, ctx, id, (before) => readUser(body, before));
}

export function updateUser(deps: Deps, ctx: ScimContext, id: string, body: unknown): Promise<Resource> {
  return changeUser(deps, ctx, id, (before) => patchUser(before, body));
}

/** A leaver for good: the membership ends, and what the directory said is forgotten. What they wrote and signed stays. */
export async function deleteUser(deps: Deps, ctx: ScimContext, id: string): Promise<void> {
  const { facilityId } = ctx.maker;
  await ctx.write('scim.user.end', async (tx) => {
    const { holder, row } = await hold(deps, tx, ctx, id);
    const told = row.is_member ? await deps.directory.remove(tx, holder, id) : [];
    await tx.deleteFrom('scim_users').where('facility_id', '=', facilityId).where('user_id', '=', id).execute();
    return {
      result: undefined,
      audit: { ...auditOf(ctx), objectType: 'user', objectId: id },
      publishToAll: told,
      afterCommit: () => deps.rightsChanged(id),
    };
  });
}

/** A mover, a leaver who may come back, or somebody who does. */
async function changeUser(
  deps: Deps,
  ctx: ScimContext,
  id: string,
  change: (before: UserAttributes) => UserAttributes,
): Promise<Resource> {
  return ctx.write('scim.user.update', async (tx) => {
    const { holder, row } = await hold(deps, tx, ctx, id);
    const before = attributesOf(row);
    const after = withTitleOfMember(before, change(before));
    if (JSON.stringify(after) === JSON.stringify(before)) return { result: toUser(row, ctx.origin), audit: null };
    await put(tx, holder, id, after);
    const told: Publication[] = [];
    if (before.isActive && !after.isActive) told.push(...(await deps.directory.remove(tx, holder, id)));
    const titled = { userId: id, title: after.title };
    if (!before.isActive && after.isActive) told.push(...(await admit(deps, tx, { holder, ...titled, isNew: false })));
    if (before.isActive && after.title !== before.title)
      told.push(...(await deps.directory.setTitle(tx, holder, titled)));
    return {
      result: await shown(tx, ctx, id),
      audit: {
        ...auditOf(ctx, { changed: changedNames(before, after), active: after.isActive }),
        ...{ objectType: 'user', objectId: id },
      },
      publishToAll: told,
      afterCommit: () => deps.rightsChanged(id),
    };
  });
}

/** Only a member has a title, so who is put out or stays out is given none. */
function withTitleOfMember(before: UserAttributes, after: UserAttributes): UserAttributes {
  return after.isActive ? after : { ...after, title: before.title };
}

async function hold(
  { directory }: Deps,
  tx: Transaction,
  ctx: ScimContext,
  id: string,
): Promise<{ holder: Holder; row: UserRow }> {
  const holder = await directory.hold(tx, ctx.maker);
  const row = await findUser(tx, ctx.maker.facilityId, id);
  if (!row) throw notFound();
  mustMatch(ctx, toUser(row, ctx.origin));
  return { holder, row };
}

async function put(tx: Transaction, { facilityId }: Holder, userId: string, user: UserAttributes): Promise<void> {
  if (!(await putScimUser(tx, { facilityId, userId }, user))) throw taken();
}

/** A place in a facility is no secret to whom it is given: they are mailed each time. */
async function admit(
  { directory }: Deps,
  tx: Transaction,
  { holder, userId, title, isNew }: { holder: Holder; userId: string; title: string | null; isNew: boolean },
): Promise<Publication[]> {
  const payload = { user_id: userId, facility_id: holder.facilityId, is_new: isNew };
  await enqueueJob(tx, { kind: ADMITTED, payload });
  return directory.admit(tx, holder, { userId, title });
}

async function shown(tx: Transaction, { maker, origin }: ScimContext, id: string): Promise<Resource> {
  const row = await findUser(tx, maker.facilityId, id);
  if (!row) throw notFound();
  return toUser(row, origin);
}

function changedNames(before: UserAttributes, after: UserAttributes): string[] {
  return (Object.keys(after) as (keyof UserAttributes)[]).filter((name) => before[name] !== after[name]);
}

/** The same for a member, for whom the directory has put out, and for an account that is nobody's to link. */
function taken(): ScimError {
  return new ScimError(409, 'uniqueness', 'Somebody has this userName, address or externalId.');
}

/** Linked is only an account whose owner has verified the address, and is not disabled. */
async function findAccount(tx: Transaction, email: string) {
  return tx
    .selectFrom('users')
    .select('id')
    .select(({ eb }) =>
      eb.and([eb('email_verified_at', 'is not', null), eb('disabled_at', 'is', null)]).as('is_usable'),
    )
    .where('email', '=', email)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
