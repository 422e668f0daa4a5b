import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** What is signed wrongly, for tests of who refuses it. */
export interface Forgery {
  readonly origin?: string;
  readonly challenge?: string;
  readonly rpId?: string;
  readonly type?: string;
  /** Whether the person opened it by PIN or finger. */
  readonly isVerified?: boolean;
  readonly counter?: number;
}

/** A passkey in software: makes and signs what a browser would send, or something forged. */
export interface SoftAuthenticator {
  readonly id: string;
  register(challenge: string, forgery?: Forgery): Record<string, unknown>;
  answer(challenge: string, forgery?: Forgery): Record<string, unknown>;
}

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest();
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

/** For pages of this origin; keys on P-256, attested by nobody. */
export function createSoftAuthenticator(origin: string): SoftAuthenticator {
  const { hostname } = new URL(origin);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');

  const clientData = (usual: string, challenge: string, forgery: Forgery) =>
    Buffer.from(
      JSON.stringify({
        type: forgery.type ?? usual,
        challenge: forgery.challenge ?? challenge,
        origin: forgery.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authData = ({ rpId = hostname, isVerified = true, counter = 0 }: Forgery, attested: Buffer | null) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (attested ? 0x40 : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)]);
  };
  const coseKey = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x, 'base64url'),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y, 'base64url'),
  ]);
  const shared = { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  return {
    id,
    register(challenge, forgery = {}) {
      const data = authData(
        forgery,
        Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, coseKey]),
      );
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData')],
        Buffer.from([0x59, data.length >> 8, data.length & 255]),
        data,
      ]);
      return {
        ...shared,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, forgery).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    answer(challenge, forgery = {}) {
      const data = authData(forgery, null);
      const client = clientData('webauthn.get', challenge, forgery);
      const signature = createSign('SHA256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      return {
        ...shared,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      };
    },
  };
}

/** The pages of a test's server under the name that passkeys are bound to. */
export function localhostOf(baseUrl: string): string {
  return baseUrl.replace('127.0.0.1', 'localhost');
}
