import { Email } from '@wardline/contract/values.ts';
import type { GivenRole, OidcProvider } from '#/platform/config/oidc-settings.ts';
import type { Claims } from './providers.ts';

/** What a provider says of a person, as far as it counts here. */
export interface Asserted {
  readonly issuer: string;
  readonly subject: string;
  /** Null where the provider names none, or does not vouch for it. */
  readonly verifiedEmail: string | null;
  /** For an account that is made of it. */
  readonly name: string | null;
  readonly roles: readonly GivenRole[];
  /** The provider asked for a second factor, in a way that the settings trust. */
  readonly hasFactor: boolean;
  /** When the person showed who they are, in s since 1970; null where the provider does not say. */
  readonly authenticatedAtS: number | null;
}

type Rules = Pick<
  OidcProvider,
  'email_verified_claim' | 'groups_claim' | 'groups' | 'second_factor_amr' | 'second_factor_acr'
>;

const LONGEST_SUBJECT = 255;
/** Some send the word or the number in place of the boolean. */
const YES = new Set<unknown>([true, 'true', 1, '1']);

/** Null where the person's name at the provider is of no form that can be kept. */
export function readClaims(rules: Rules, claims: Claims): Asserted | null {
  const { iss: issuer, sub: subject, auth_time: at } = claims;
  if (subject === '' || subject.length > LONGEST_SUBJECT || !isPlain(subject)) return null;
  const email = Email.safeParse(claims['email']);
  const groups = listOf(claims[rules.groups_claim]);
  const amr = listOf(claims['amr']);
  return {
    issuer,
    subject,
    verifiedEmail: email.success && YES.has(claims[rules.email_verified_claim]) ? email.data : null,
    name: nameOf(claims),
    roles: groups.flatMap((group) => (Object.hasOwn(rules.groups, group) ? (rules.groups[group] ?? []) : [])),
    hasFactor:
      amr.some((method) => rules.second_factor_amr.includes(method)) ||
      rules.second_factor_acr.some((acr) => acr === claims['acr']),
    authenticatedAtS: typeof at === 'number' ? at : null,
  };
}

function nameOf({ name, given_name: given, family_name: family }: Claims): string | null {
  const parts = typeof name === 'string' ? [name] : [given, family];
  const text = parts
    .filter((part) => typeof part === 'string')
    .join(' ')
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, 120);
  return text.isWellFormed() && text !== '' ? text : null;
}

/** One group may come as a text instead of a list. */
function listOf(value: unknown): string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.filter((item) => typeof item === 'string');
}

function isPlain(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}
