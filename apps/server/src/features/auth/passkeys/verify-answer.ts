import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { RelyingParty } from '#/platform/config/relying-party.ts';
import type { UsedPasskey } from './passkey-queries.ts';

interface Answer {
  readonly challenge: string | undefined;
  readonly passkey: UsedPasskey;
  readonly credential: unknown;
}

/** The new counter; null for what was forged, late, of another page, for another challenge, or of a copied authenticator. */
export async function verifyAnswer(
  party: RelyingParty,
  { challenge, passkey, credential }: Answer,
): Promise<number | null> {
  const verified = await verifyAuthenticationResponse({
    response: credential as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge ?? '',
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: {
      id: passkey.credential_id.toString('base64url'),
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
    },
    requireUserVerification: true,
  }).catch(() => null);
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}
