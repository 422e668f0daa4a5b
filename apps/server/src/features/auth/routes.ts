import * as account from '@wardline/contract/account/account.ts';
import * as contract from '@wardline/contract/account/auth.ts';
import * as ownData from '@wardline/contract/account/own-data.ts';
import * as passkeys from '@wardline/contract/account/passkeys.ts';
import * as tokens from '@wardline/contract/account/personal-tokens.ts';
import * as factors from '@wardline/contract/account/second-factor.ts';
import * as sso from '@wardline/contract/account/single-sign-on.ts';
import * as setUpContract from '@wardline/contract/facilities/set-up.ts';
import * as system from '@wardline/contract/facilities/system-accounts.ts';
import * as realtimeContract from '@wardline/contract/realtime.ts';
import type { RelyingParty } from '#/platform/config/relying-party.ts';
import { publicRoute, type Route, route } from '#/platform/http/route.ts';
import type { AccountLimits } from './account/account-limits.ts';
import { getAccount } from './account/get-account.ts';
import { getUser } from './account/get-user.ts';
import type { Links } from './account/links.ts';
import { updateProfile } from './account/update-profile.ts';
import { addOperator, removeOperator } from './administration/change-operator.ts';
import { disableAccount, enableAccount } from './administration/disable-account.ts';
import { endAccountSessions } from './administration/end-account-sessions.ts';
import { listAccounts } from './administration/list-accounts.ts';
import { resetAccountFactors } from './administration/reset-account-factors.ts';
import type { CredentialCheck } from './credentials/check-credentials.ts';
import { confirmPassword, getConfirmedPasswordStatus } from './credentials/confirm-password.ts';
import type { CheckNewPassword } from './credentials/new-password.ts';
import type { AccountEnding } from './deletion/account-ending.ts';
import { deleteAccount } from './deletion/delete-account.ts';
import { getAccountDeletion } from './deletion/get-account-deletion.ts';
import { cancelEmailChange } from './email/cancel-email-change.ts';
import { changeEmail } from './email/change-email.ts';
import { sendVerification } from './email/send-verification.ts';
import { verifyEmail } from './email/verify-email.ts';
import { beginPasskey, createPasskey } from './passkeys/add-passkey.ts';
import { listPasskeys, removePasskey, renamePasskey } from './passkeys/change-passkeys.ts';
import { beginPasskeyConfirmation, confirmWithPasskey, unlockScreen } from './passkeys/confirm-with-passkey.ts';
import { beginPasskeySignIn, signInWithPasskey } from './passkeys/sign-in-with-passkey.ts';
import { changePassword } from './password/change-password.ts';
import { forgotPassword } from './password/forgot-password.ts';
import { resetPassword } from './password/reset-password.ts';
import type { InvitationAccess } from './registration/invitation-access.ts';
import { register } from './registration/register.ts';
import type { SecondStepCheck } from './second-factor/check-second-step.ts';
import { endTwoFactor } from './second-factor/end-two-factor.ts';
import type { RecoveryCodes } from './second-factor/recovery-codes.ts';
import { getSecondFactors, listRecoveryCodes, renewRecoveryCodes } from './second-factor/renew-recovery-codes.ts';
import {
  beginTwoFactor,
  confirmTwoFactor,
  getTwoFactorQrCode,
  getTwoFactorSecret,
} from './second-factor/set-up-totp.ts';
import type { Totp } from './second-factor/totp.ts';
import { answerChallenge } from './sessions/answer-challenge.ts';
import { endOtherSessions } from './sessions/end-other-sessions.ts';
import { endSession } from './sessions/end-session.ts';
import type { EndSessions } from './sessions/end-sessions.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { readRemember, signIn } from './sessions/sign-in.ts';
import { signOut } from './sessions/sign-out.ts';
import type { FacilityAccess } from './set-up/facility-access.ts';
import { setUp, showSetUp } from './set-up/set-up.ts';
import {
  beginProviderConfirmation,
  beginProviderLink,
  beginSingleSignOn,
} from './single-sign-on/begin-single-sign-on.ts';
import { type FinishDeps, finishSingleSignOn } from './single-sign-on/finish-single-sign-on.ts';
import { listProviderLinks, removeProviderLink } from './single-sign-on/own-links.ts';
import { type AuthorizeChannelDeps, authorizeChannel } from './sockets/authorise-channel.ts';
import { authorizeUser } from './sockets/authorise-user.ts';
import { createToken } from './tokens/create-token.ts';
import { getCsrfCookie } from './tokens/get-csrf-cookie.ts';
import { getDeviceKey } from './tokens/get-device-key.ts';
import {
  createPersonalToken,
  listPersonalTokens,
  revokePersonalToken,
  revokePersonalTokens,
} from './tokens/personal-tokens.ts';

export function routes(parts: AuthDeps & AuthorizeChannelDeps): Route[] {
  return [
    publicRoute(contract.getCsrfCookie, getCsrfCookie),
    publicRoute(contract.signIn, signIn(parts), { prepare: readRemember, signedInGoTo: '/dashboard' }),
    route(contract.signOut, signOut(parts), { limit: 'background' }),
    route(contract.getUser, getUser),
    publicRoute(contract.createToken, createToken(parts)),
    route(contract.getDeviceKey, getDeviceKey(parts)),
    route(tokens.listPersonalTokens, listPersonalTokens),
    route(tokens.createPersonalToken, createPersonalToken),
    route(tokens.revokePersonalToken, revokePersonalToken(parts), { limit: 'background' }),
    route(tokens.revokePersonalTokens, revokePersonalTokens(parts), { limit: 'background' }),
    route(realtimeContract.authorizeChannel, authorizeChannel(parts), { limit: 'background' }),
    route(realtimeContract.authorizeUser, authorizeUser(parts), { limit: 'background' }),
    publicRoute(factors.answerTwoFactorChallenge, answerChallenge(parts), { signedInGoTo: '/dashboard' }),
    route(factors.beginTwoFactor, beginTwoFactor(parts)),
    route(factors.getTwoFactorQrCode, getTwoFactorQrCode(parts)),
    route(factors.getTwoFactorSecret, getTwoFactorSecret(parts)),
    route(factors.confirmTwoFactor, confirmTwoFactor(parts)),
    route(factors.endTwoFactor, endTwoFactor(parts)),
    route(factors.listRecoveryCodes, listRecoveryCodes(parts)),
    route(factors.renewRecoveryCodes, renewRecoveryCodes(parts)),
    route(factors.confirmPassword, confirmPassword(parts)),
    route(factors.getConfirmedPasswordStatus, getConfirmedPasswordStatus),
    route(factors.getSecondFactors, getSecondFactors),
    route(passkeys.listPasskeys, listPasskeys(parts)),
    route(passkeys.beginPasskey, beginPasskey(parts)),
    route(passkeys.createPasskey, createPasskey(parts)),
    route(passkeys.renamePasskey, renamePasskey),
    route(passkeys.removePasskey, removePasskey(parts)),
    publicRoute(passkeys.beginPasskeySignIn, beginPasskeySignIn(parts), { signedInGoTo: '/dashboard' }),
    publicRoute(passkeys.signInWithPasskey, signInWithPasskey(parts), { signedInGoTo: '/dashboard' }),
    route(passkeys.beginPasskeyConfirmation, beginPasskeyConfirmation(parts)),
    route(passkeys.confirmWithPasskey, confirmWithPasskey(parts)),
    route(passkeys.unlockScreen, unlockScreen(parts)),
    publicRoute(sso.beginSingleSignOn, beginSingleSignOn(parts)),
    publicRoute(sso.finishSingleSignOn, finishSingleSignOn(parts)),
    route(sso.beginProviderLink, beginProviderLink(parts)),
    route(sso.beginProviderConfirmation, beginProviderConfirmation(parts)),
    route(sso.listProviderLinks, listProviderLinks(parts)),
    route(sso.removeProviderLink, removeProviderLink(parts)),
    publicRoute(setUpContract.showSetUp, showSetUp),
    publicRoute(setUpContract.setUp, setUp(parts)),
    publicRoute(account.register, register(parts)),
    publicRoute(account.forgotPassword, forgotPassword(parts)),
    publicRoute(account.resetPassword, resetPassword(parts)),
    publicRoute(account.verifyEmail, verifyEmail(parts)),
    route(account.sendVerification, sendVerification(parts)),
    route(account.getAccount, getAccount),
    route(account.updateProfile, updateProfile(parts)),
    route(account.changeEmail, changeEmail(parts)),
    route(account.cancelEmailChange, cancelEmailChange),
    route(account.changePassword, changePassword(parts)),
    route(ownData.getAccountDeletion, getAccountDeletion(parts)),
    route(ownData.deleteAccount, deleteAccount(parts)),
    route(account.listSessions, listSessions),
    route(account.endSession, endSession(parts), { limit: 'background' }),
    route(account.endOtherSessions, endOtherSessions(parts), { limit: 'background' }),
    route(system.listAccounts, listAccounts),
    route(system.disableAccount, disableAccount(parts)),
    route(system.enableAccount, enableAccount),
    route(system.endAccountSessions, endAccountSessions(parts)),
    route(system.resetSecondFactors, resetAccountFactors(parts)),
    route(system.addOperator, addOperator(parts)),
    route(system.removeOperator, removeOperator(parts)),
  ];
}

/** What the verbs of this feature work with; each takes what it needs. */
export interface AuthDeps {
  readonly appKey: Buffer;
  readonly check: CredentialCheck;
  readonly checkNewPassword: CheckNewPassword;
  readonly endSessions: EndSessions;
  readonly ending: AccountEnding;
  readonly facilities: FacilityAccess;
  readonly invitations: InvitationAccess;
  readonly limits: AccountLimits;
  readonly links: Links;
  /** The installation has its first administrator. Says where they go on, if not at the address they are at. */
  readonly onSetUp: () => string | null;
  /** What a person is or may has changed: nothing in this process goes on under what it was. */
  readonly identityChanged: (userId: string) => void | Promise<void>;
  readonly productName: string;
  readonly providers: FinishDeps['providers'];
  readonly recoveryCodes: RecoveryCodes;
  /** For whom passkeys are made; null where browsers give none. */
  readonly relyingParty: () => RelyingParty | null;
  readonly secondStep: SecondStepCheck;
  readonly secretsOf: FinishDeps['secretsOf'];
  readonly signUp: 'open' | 'invitation';
  readonly totp: Totp;
}
