import { type MadeFacility, type MembershipOptions, makeMembership } from './factories/facilities.ts';
import { type MadeUser, makeUser } from './factories/users.ts';
import { signedIn, type TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

/** Somebody of a facility, at a browser of their own. */
export interface SignedInMember extends MadeUser {
  readonly client: TestClient;
}

interface MemberOptions extends Pick<MembershipOptions, 'roles'> {
  readonly facility: MadeFacility;
  readonly name: string;
}

/** A member of a facility with these roles, a clinician without any, who is signed in. */
export async function signedInMember(
  server: TestServer,
  { facility, name, roles = ['clinician'] }: MemberOptions,
): Promise<SignedInMember> {
  const user = await makeUser(server.db, { name });
  await makeMembership(server.db, { userId: user.id, facility, roles });
  return { ...user, client: await signedIn(server, user.id) };
}
