import { randomBytes } from 'node:crypto';
import { createSeal } from '#/platform/config/seal.ts';
import { readTold, type Told } from './bus.ts';

/** Of the two clocks of servers, either way: an older message was kept by somebody, and is played again. */
export const MOST_AGE_MS = 5 * 60_000;
const NODE_BYTES = 16;
/** Node, number (6 bytes), time (6 bytes), length of the text (4 bytes). */
const HEAD_BYTES = NODE_BYTES + 16;
const OWNER = 'bus';

/** A message of the bus that was opened: who told it, and the how manieth of theirs it is. */
export interface Opened {
  readonly node: string;
  readonly number: number;
  readonly told: Told;
  readonly bytes: Buffer;
}

export interface OtherTime {
  /** Above zero for a time that lies ahead of this server's. */
  readonly differsByMs: number;
}

/** Closes and opens the messages of a server process. Who runs the bus can neither read nor make one (A44). */
export interface Envelopes {
  /** This process, as the others know it. */
  readonly node: string;
  close(told: Told, bytes?: Buffer): Buffer;
  /**
   * Null for what no server of this installation has told. By how much its clock differs, where that is more than a message may be old: a
   * server with another clock, or one that is played again.
   */
  open(message: Buffer): Opened | OtherTime | null;
}

/** `key`: 32 bytes that the servers of an installation share. */
export function createEnvelopes(key: Buffer, now: () => number = Date.now): Envelopes {
  const seal = createSeal(key);
  const node = randomBytes(NODE_BYTES);
  let told = 0;
  return {
    node: node.toString('hex'),
    close(what, bytes = Buffer.alloc(0)) {
      const text = Buffer.from(JSON.stringify(what));
      const head = Buffer.alloc(HEAD_BYTES);
      node.copy(head);
      head.writeUIntBE(++told, NODE_BYTES, 6);
      head.writeUIntBE(now(), NODE_BYTES + 6, 6);
      head.writeUInt32BE(text.length, NODE_BYTES + 12);
      return seal.seal(OWNER, Buffer.concat([head, text, bytes]));
    },
    open(message) {
      const plain = openOrNull(message);
      if (plain === null || plain.length < HEAD_BYTES) return null;
      const differsByMs = plain.readUIntBE(NODE_BYTES + 6, 6) - now();
      if (Math.abs(differsByMs) > MOST_AGE_MS) return { differsByMs };
      const textEnd = HEAD_BYTES + plain.readUInt32BE(NODE_BYTES + 12);
      const what = readTold(plain.toString('utf8', HEAD_BYTES, textEnd));
      return (
        what && {
          node: plain.toString('hex', 0, NODE_BYTES),
          number: plain.readUIntBE(NODE_BYTES, 6),
          told: what,
          bytes: plain.subarray(textEnd),
        }
      );
    },
  };

  function openOrNull(message: Buffer): Buffer | null {
    try {
      return seal.open(OWNER, message);
    } catch {
      return null;
    }
  }
}
