import type { BodyOf, ParamsOf, ReplyOf } from '@wardline/contract/endpoint.ts';
import type * as contract from '@wardline/contract/facilities/set-up.ts';
import { insertUser } from '#/features/auth/account/credential-queries.ts';
import type { CredentialCheck } from '#/features/auth/credentials/check-credentials.ts';
import type { CheckNewPassword } from '#/features/auth/credentials/new-password.ts';
import type { EndSessions } from '#/features/auth/sessions/end-sessions.ts';
import { startSession } from '#/features/auth/sessions/start-session.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { newId } from '#/platform/new-id.ts';
import type { FacilityAccess } from './facility-access.ts';
import { isSetUpToken, takeSetUpToken } from './set-up-link.ts';

export interface SetUpDeps {
  readonly check: Pick<CredentialCheck, 'passwords' | 'devices'>;
  readonly checkNewPassword: CheckNewPassword;
  readonly endSessions: EndSessions;
  readonly facilities: FacilityAccess;
  /** The installation has its first administrator. Says where they go on, if not at the address they are at. */
  readonly onSetUp: () => string | null;
}

type Context = RequestContext<Actor | null>;
type Endpoint = typeof contract.setUp;

/** Whether the link still leads anywhere, so that nobody fills in a form for nothing. */
export async function showSetUp(
  { db, http }: Pick<Context, 'db' | 'http'>,
  { params }: { params: ParamsOf<typeof contract.showSetUp> },
): Promise<undefined> {
  await requireLink({ db, http }, params.token);
}

/**
 * The first administrator and the first facility, in one transaction with the end of the link. The address counts as verified:
 * who reads the server's log runs the installation, and a mail could prove nothing more to them.
 */
export function setUp({ check, checkNewPassword, endSessions, facilities, onSetUp }: SetUpDeps) {
  return async (
    ctx: Context,
    { params, body }: { params: ParamsOf<Endpoint>; body: BodyOf<Endpoint> },
  ): Promise<ReplyOf<Endpoint>> => {
    await requireLink(ctx, params.token);
    const { name, email, password } = body;
    const facility = facilityOf(body);
    checkNewPassword(password, { email, name, facilityNames: [facility.name] });
    const passwordHash = await check.passwords.hash(password);
    const userId = newId();
    const { session, facilityId } = await ctx.write('installation.set_up', async (tx) => {
      if (!(await takeSetUpToken(tx, params.token))) throw new AppError('not_found');
      const user = { id: userId, name, email, password_hash: passwordHash, is_operator: true };
      if (!(await insertUser(tx, user))) throw invalidField('email', 'This address has an account already.');
      const { facilityId } = await facilities.make(tx, facility);
      await facilities.admitAdministrator(tx, { facilityId, userId });
      const session = await startSession(tx, ctx, { userId, remember: false, hasGivenFactor: false });
      return {
        result: { session, facilityId },
        audit: { actorId: userId, facilityId, objectType: 'user', objectId: userId, detail: { is_operator: true } },
        afterCommit: () => endSessions(session.endedKeys),
      };
    });
    ctx.http.startSession(session.id, session.maxAgeS);
    ctx.http.noteDevice(check.devices.add(ctx.http.device, email));
    return { facility_id: facilityId, goes_on_at: onSetUp() };
  };
}

function facilityOf(body: BodyOf<Endpoint>) {
  const { facility_name, facility_code, time_zone, census_time, latitude = null, longitude = null } = body;
  if ((latitude === null) !== (longitude === null)) {
    throw invalidField(latitude === null ? 'latitude' : 'longitude', 'Both or neither: latitude and longitude.');
  }
  const [timeZone, censusTime] = [time_zone, census_time];
  return { name: facility_name, code: facility_code, timeZone, censusTime, latitude, longitude };
}

/** From another machine, and without the link's token, there is no such address. */
async function requireLink({ db, http }: Pick<Context, 'db' | 'http'>, token: string): Promise<void> {
  if (!http.isFromHere || !(await isSetUpToken(db, token))) throw new AppError('not_found');
}
