// Who may join a facility: links that are good for one person, the roles they give, and what becomes of them.
import type { Database } from '#/platform/db/database.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';
import type { CreateCounter } from '#/platform/http/rate-limit.ts';
import type { Route } from '#/platform/http/route.ts';
import type { JobHandler } from '#/platform/jobs/jobs.ts';
import type { AcceptInvitationDeps } from './accept-invitation.ts';
import type { InvitationMailDeps } from './core/invitation-mail.ts';
import { hold, join, stands } from './core/queries.ts';
import { INVITE_JOB, invitePeople } from './imports/invite-people.ts';
import { IMPORT_MAIL_JOB, mailInvitation } from './imports/mail-invitation.ts';
import { purgeImports } from './imports/purge-imports.ts';
import { ADMINISTRATOR_MAIL, inviteAdministrator, mailAdministrator } from './invite-administrator.ts';
import { membershipAdded } from './membership-changes.ts';
import { routes } from './routes.ts';

const LOOKS_PER_MINUTE = 30;

export interface InvitationsFeature {
  readonly routes: Route[];
  readonly jobHandlers: Readonly<Record<string, JobHandler>>;
  /** For the system administration: mails a link to administer a facility. */
  readonly inviteAdministrator: typeof inviteAdministrator;
  /** For signing up: holds an invitation until the caller's transaction ends, without using it up; null when it has no force. */
  hold(
    tx: Transaction,
    by: { readonly token: string } | { readonly id: string },
  ): Promise<{ readonly id: string; readonly facilityName: string } | null>;
  /** Whether the invitation of a registration still lets somebody in. */
  stands(db: Database, id: string): Promise<boolean>;
  /** Makes the person a member by an invitation that is held, which uses it up; null when they are one already. */
  join(
    tx: Transaction,
    who: { readonly invitationId: string; readonly userId: string },
  ): Promise<{ readonly facilityId: string; readonly changes: readonly Publication[] } | null>;
  purge(): Promise<void>;
}

type InvitationsDeps = Pick<AcceptInvitationDeps, 'rightsChanged'> &
  InvitationMailDeps & {
    readonly db: Database;
    readonly createCounter: CreateCounter;
  };

export function invitationsFeature(deps: InvitationsDeps): InvitationsFeature {
  const looks = deps.createCounter('invitation looks', { points: LOOKS_PER_MINUTE, duration: 60 });
  return {
    routes: routes({ ...deps, looks }),
    jobHandlers: {
      [ADMINISTRATOR_MAIL]: mailAdministrator(deps),
      [INVITE_JOB]: invitePeople,
      [IMPORT_MAIL_JOB]: mailInvitation(deps),
    },
    purge: () => purgeImports(deps.db),
    inviteAdministrator,
    async hold(tx, by) {
      const held = await hold(tx, by);
      return held ? { id: held.id, facilityName: held.facility_name } : null;
    },
    stands,
    async join(tx, { invitationId, userId }) {
      const joined = await join(tx, { invitationId, userId });
      return joined ? { facilityId: joined.facility_id, changes: membershipAdded(userId, joined.facility_id) } : null;
    },
  };
}
