import { createHash, randomBytes } from 'node:crypto';
import {
  forgotPassword,
  register,
  resetPassword,
  sendVerification,
  verifyEmail,
} from '@wardline/contract/account/account.ts';
import type { User } from '@wardline/contract/account/auth.ts';
import { PASSWORD } from './hospital.ts';
import { refuse } from './refusal.ts';
import { type Route, route } from './route.ts';

interface Account {
  user: User;
  password: string;
}

/** The table of users, and the links that were mailed to them. */
export interface Accounts {
  /** Throws as Laravel refuses wrong credentials. */
  check(credentials: { readonly email: string; readonly password: string }): User;
  find(userId: string): User | undefined;
  readonly routes: readonly Route[];
  /** Paths, oldest first. */
  readonly links: readonly string[];
}

/** Accounts as Breeze's API keeps them: a new one is signed in at once, and its address verified by a mailed link. */
export function createAccounts(first: User, verifyAddress: string): Accounts {
  const accounts: Account[] = [{ user: first, password: PASSWORD }];
  const links: string[] = [];
  const resets = new Map<string, string>();
  const byEmail = (email: string) => accounts.find(({ user }) => user.email === email);
  const mailVerification = ({ id, email }: User): void => {
    const hash = createHash('sha1').update(email).digest('hex');
    links.push(`${verifyAddress}/${id}/${hash}?expires=1790000000&signature=${randomBytes(32).toString('hex')}`);
  };

  const routes = [
    route(
      register,
      ({ body: { name, email, password }, caller }) => {
        if (byEmail(email)) throw refuse.invalid({ email: ['The email has already been taken.'] });
        const user = {
          ...first,
          id: String(accounts.length + 6),
          name,
          email,
          email_verified_at: null,
          memberships: [],
        };
        accounts.push({ user, password });
        mailVerification(user);
        caller.signIn(user.id, false);
        return undefined;
      },
      { isPublic: true },
    ),
    route(
      forgotPassword,
      ({ body: { email } }) => {
        if (!byEmail(email)) throw refuse.invalid({ email: ["We can't find a user with that email address."] });
        const token = randomBytes(32).toString('hex');
        resets.set(token, email);
        links.push(`/password-reset/${token}?email=${encodeURIComponent(email)}`);
        return { status: 'We have emailed your password reset link.' };
      },
      { isPublic: true },
    ),
    route(
      resetPassword,
      ({ body: { token, email, password } }) => {
        const account = resets.get(token) === email ? byEmail(email) : undefined;
        if (!account) throw refuse.invalid({ email: ['This password reset token is invalid.'] });
        resets.delete(token);
        account.password = password;
        return { status: 'Your password has been reset.' };
      },
      { isPublic: true, takesAnything: true },
    ),
    route(sendVerification, ({ caller }) => {
      const account = accounts.find(({ user }) => user.id === caller.userId);
      if (account) mailVerification(account.user);
      return { status: 'verification-link-sent' };
    }),
    route(
      verifyEmail,
      ({ params: { id }, caller }) => {
        const account = accounts.find(({ user }) => user.id === id && id === caller.userId);
        if (!account) throw refuse.forbidden();
        account.user = { ...account.user, email_verified_at: new Date().toISOString() };
        return { location: '/dashboard?verified=1' };
      },
      { takesAnything: true },
    ),
  ];
  return {
    check({ email, password }) {
      const account = byEmail(email);
      if (account?.password === password) return account.user;
      throw refuse.invalid({ email: ['These credentials do not match our records.'] });
    },
    find: (userId) => accounts.find(({ user }) => user.id === userId)?.user,
    routes,
    links,
  };
}
