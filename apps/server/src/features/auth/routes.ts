import * as account from '@wardline/contract/account.ts';
import * as contract from '@wardline/contract/auth.ts';
import * as realtimeContract from '@wardline/contract/realtime.ts';
import { publicRoute, type Route, route } from '#/platform/http/route.ts';
import type { AuthParts } from './auth-parts.ts';
import { type AuthoriseChannelDeps, authoriseChannel } from './authorise-channel.ts';
import { authoriseUser } from './authorise-user.ts';
import { cancelEmailChange } from './cancel-email-change.ts';
import { changeEmail } from './change-email.ts';
import { changePassword } from './change-password.ts';
import { createToken } from './create-token.ts';
import { endOtherSessions } from './end-other-sessions.ts';
import { endSession } from './end-session.ts';
import { forgotPassword } from './forgot-password.ts';
import { getAccount } from './get-account.ts';
import { getCsrfCookie } from './get-csrf-cookie.ts';
import { getDeviceKey } from './get-device-key.ts';
import { getUser } from './get-user.ts';
import { listSessions } from './list-sessions.ts';
import { register } from './register.ts';
import { resetPassword } from './reset-password.ts';
import { sendVerification } from './send-verification.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { updateProfile } from './update-profile.ts';
import { verifyEmail } from './verify-email.ts';

export function routes(parts: AuthParts & AuthoriseChannelDeps): Route[] {
  return [
    publicRoute(contract.getCsrfCookie, getCsrfCookie),
    publicRoute(contract.signIn, signIn(parts)),
    route(contract.signOut, signOut(parts)),
    route(contract.getUser, getUser),
    publicRoute(contract.createToken, createToken(parts)),
    route(contract.getDeviceKey, getDeviceKey(parts)),
    route(realtimeContract.authoriseChannel, authoriseChannel(parts)),
    route(realtimeContract.authoriseUser, authoriseUser(parts)),
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
    route(account.listSessions, listSessions),
    route(account.endSession, endSession(parts)),
    route(account.endOtherSessions, endOtherSessions(parts)),
  ];
}
