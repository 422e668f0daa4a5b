/** Content as it lies on the disk. */
export interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly data: ArrayBuffer;
}

/** Seals and opens contents; `place` binds a content to its row, so that it cannot be moved to another. */
export interface RowCipher {
  seal(place: string, content: unknown): Promise<Sealed>;
  /** Rejects when the key is another, the row was moved or the bytes were changed. */
  open(place: string, sealed: Sealed): Promise<unknown>;
}

const IV_BYTES = 12;

/** AES-GCM over JSON with a fresh random IV for every seal. */
export function createRowCipher(key: CryptoKey): RowCipher {
  const text = new TextEncoder();
  const algorithm = (iv: Uint8Array<ArrayBuffer>, place: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: text.encode(place),
  });
  return {
    async seal(place, content) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const plain = text.encode(JSON.stringify(content ?? null));
      return { iv, data: await crypto.subtle.encrypt(algorithm(iv, place), key, plain) };
    },
    async open(place, { iv, data }) {
      const plain = await crypto.subtle.decrypt(algorithm(iv, place), key, data);
      return JSON.parse(new TextDecoder().decode(plain));
    },
  };
}

/** The server's key (32 bytes in base64) as a key that no script can read out again. */
export function importKey(base64: string): Promise<CryptoKey> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/** A key of this device alone. */
export function generateKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}
