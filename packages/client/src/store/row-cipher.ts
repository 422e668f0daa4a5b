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
  /** As `seal`, for the bytes of a file. */
  sealBytes(place: string, bytes: ArrayBuffer): Promise<Sealed>;
  openBytes(place: string, sealed: Sealed): Promise<ArrayBuffer>;
}

const IV_BYTES = 12;

/** AES-GCM over JSON, or over bytes as they are, with a fresh random IV for every seal. */
export function createRowCipher(key: CryptoKey): RowCipher {
  const text = new TextEncoder();
  const algorithm = (iv: Uint8Array<ArrayBuffer>, place: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: text.encode(place),
  });
  const sealBytes = async (place: string, bytes: BufferSource): Promise<Sealed> => {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    return { iv, data: await crypto.subtle.encrypt(algorithm(iv, place), key, bytes) };
  };
  const openBytes = (place: string, { iv, data }: Sealed): Promise<ArrayBuffer> =>
    crypto.subtle.decrypt(algorithm(iv, place), key, data);
  return {
    seal: (place, content) => sealBytes(place, text.encode(JSON.stringify(content ?? null))),
    open: async (place, sealed) => JSON.parse(new TextDecoder().decode(await openBytes(place, sealed))),
    sealBytes,
    openBytes,
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
