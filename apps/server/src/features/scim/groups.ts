import type { Publication } from '#/platform/http/publish.ts';
import { patchMembers, readMembers } from './group-members.ts';
import { type Resource, toGroup } from './resources.ts';
import { auditOf, mustMatch, notFound, type ScimContext } from './scim-context.ts';
import type { ScimDeps } from './scim-deps.ts';
import { invalid } from './scim-error.ts';
import { findGroups, findUser, type GroupRow } from './scim-queries.ts';

type Deps = Pick<ScimDeps, 'directory' | 'rightsChanged'>;
type Group = Parameters<typeof readMembers>[0];

export async function getGroup(ctx: ScimContext, id: string, withMembers: boolean): Promise<Resource> {
  return toGroup(await findGroup(ctx.db, ctx, id), ctx.origin, withMembers);
}

export function replaceGroup(deps: Deps, ctx: ScimContext, id: string, body: unknown): Promise<Resource> {
  return changeGroup(deps, ctx, id, (group) => readMembers(group, body));
}

export function updateGroup(deps: Deps, ctx: ScimContext, id: string, body: unknown): Promise<Resource> {
  return changeGroup(deps, ctx, id, (group) => patchMembers(group, body));
}

/** Brings who holds a role in line with who is to hold it, all or none. */
async function changeGroup(
  { directory, rightsChanged }: Deps,
  ctx: ScimContext,
  id: string,
  change: (group: Group) => Set<string>,
): Promise<Resource> {
  const { facilityId } = ctx.maker;
  return ctx.write('scim.group.update', async (tx) => {
    const holder = await directory.hold(tx, ctx.maker);
    const row = await findGroup(tx, ctx, id);
    mustMatch(ctx, toGroup(row, ctx.origin));
    const before = new Set(row.members.map(({ value }) => value));
    const after = change({ displayName: row.name, memberIds: before });
    const added = [...after].filter((userId) => !before.has(userId));
    const removed = [...before].filter((userId) => !after.has(userId));
    for (const userId of added) {
      const person = await findUser(tx, facilityId, userId);
      if (!person?.is_member) throw invalid('invalidValue', 'A member is not there, or not active.');
    }
    const told: Publication[] = [];
    for (const userId of added)
      told.push(...(await directory.setRole(tx, holder, { userId, roleId: id, isHeld: true })));
    for (const userId of removed)
      told.push(...(await directory.setRole(tx, holder, { userId, roleId: id, isHeld: false })));
    const isSame = added.length === 0 && removed.length === 0;
    return {
      result: toGroup(await findGroup(tx, ctx, id), ctx.origin),
      audit: isSame ? null : { ...auditOf(ctx, { added, removed }), objectType: 'role', objectId: id },
      publishToAll: told,
      async afterCommit() {
        for (const userId of [...added, ...removed]) await rightsChanged(userId);
      },
    };
  });
}

async function findGroup(db: Parameters<typeof findGroups>[0], { maker }: ScimContext, id: string): Promise<GroupRow> {
  const page = { filter: [{ attribute: 'id', value: id }], startIndex: 1, count: 1 };
  const { rows } = await findGroups(db, maker.facilityId, page);
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}
