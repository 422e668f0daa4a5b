import type { FacilityAccess, WantedRoles } from '#/features/auth/set-up/facility-access.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';

export interface FollowGroupsDeps {
  readonly facilities: Pick<FacilityAccess, 'findProvided' | 'follow'>;
  /** What a person may has changed: sockets lose at once what ended (ACC-7). */
  readonly identityChanged: (userId: string) => void | Promise<void>;
}

type Context = Pick<RequestContext<Actor | null>, 'db' | 'log' | 'write'>;

/**
 * Brings what a provider's groups gave in line with what they say now, a facility at a time. Where that would leave nobody in
 * charge of one, it stays as it is there, and the audit says so.
 */
export async function followGroups(
  { facilities, identityChanged }: FollowGroupsDeps,
  ctx: Context,
  wanted: WantedRoles,
): Promise<void> {
  const { userId, issuer } = wanted;
  const plan = await facilities.findProvided(ctx.db, wanted);
  for (const { facility, role } of plan.missing) {
    ctx.log.warn({ facility, role }, 'the settings of single sign-on name a role that there is not');
  }
  for (const [facilityId, roleIds] of plan.facilities) {
    const about = { actorId: userId, facilityId, objectType: 'user', objectId: userId };
    try {
      await ctx.write('member.follow_groups', async (tx) => {
        const done = await facilities.follow(tx, { userId, issuer, facilityId }, roleIds);
        if (done === null) return { result: undefined, audit: null };
        const { added, removed, membership, changes } = done;
        return {
          result: undefined,
          audit: { ...about, detail: { added, removed, membership } },
          publishToAll: changes,
          afterCommit: () => identityChanged(userId),
        };
      });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'conflict')) throw error;
      const audit = { ...about, outcome: 'refused', detail: { why: 'last_in_charge' } } as const;
      await ctx.write('member.follow_groups', async () => ({ result: undefined, audit }));
    }
  }
}
