import type { AccountLimits } from './account/account-limits.ts';
import type { Links } from './account/links.ts';
import type { CredentialCheck } from './credentials/check-credentials.ts';
import type { CheckNewPassword } from './credentials/new-password.ts';
import type { InvitationAccess } from './registration/invitation-access.ts';
import type { EndSessions } from './sessions/end-sessions.ts';

/** What the verbs of this feature work with; each takes what it needs. */
export interface AuthParts {
  readonly appKey: Buffer;
  readonly check: CredentialCheck;
  readonly checkNewPassword: CheckNewPassword;
  readonly endSessions: EndSessions;
  readonly invitations: InvitationAccess;
  readonly limits: AccountLimits;
  readonly links: Links;
  /** Says that a job was put into the queue. */
  readonly nudgeJobs: () => void;
  /** What a person is or may has changed: nothing in this process goes on under what it was. */
  readonly identityChanged: (userId: string) => void | Promise<void>;
  readonly signUp: 'open' | 'invitation';
}
