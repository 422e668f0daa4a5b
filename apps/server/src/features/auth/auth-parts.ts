import type { AccountLimits } from './account-limits.ts';
import type { CredentialCheck } from './check-credentials.ts';
import type { EndSessions } from './end-sessions.ts';
import type { InvitationAccess } from './invitation-access.ts';
import type { Links } from './links.ts';
import type { CheckNewPassword } from './new-password.ts';

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
