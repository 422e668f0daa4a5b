import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Told } from './bus.ts';
import { createEnvelopes } from './envelope.ts';

const FORGET: Told = { kind: 'forget', userId: 'ana' };

describe('the envelopes', () => {
  const key = randomBytes(32);

  it('OPS-5 what one server tells another opens as it was', () => {
    const [a, b] = [createEnvelopes(key), createEnvelopes(key)];
    const bytes = Buffer.from('a frame with ü');
    expect(b.open(a.close({ kind: 'deliver', channel: 'private-chat.1', except: '1.2' }, bytes))).toEqual({
      ...{ node: a.node, number: 1, bytes },
      told: { kind: 'deliver', channel: 'private-chat.1', except: '1.2' },
    });
    expect(b.open(a.close(FORGET))).toMatchObject({ number: 2, told: FORGET });
  });

  it('A44 what was changed, made by somebody else, kept for later or is no message of ours opens as nothing', () => {
    const [a, b] = [createEnvelopes(key), createEnvelopes(key)];
    const message = a.close(FORGET, Buffer.from('frame'));
    for (const at of [0, 20, message.length - 20, message.length - 1]) {
      const changed = Buffer.from(message);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(b.open(changed)).toBeNull();
    }
    for (const garbage of ['', 'x', '{"kind":"forget","userId":"ana"}'])
      expect(b.open(Buffer.from(garbage))).toBeNull();
    expect(createEnvelopes(randomBytes(32)).open(message)).toBeNull();
    const inSixMinutes = createEnvelopes(key, () => Date.now() + 6 * 60_000);
    expect(inSixMinutes.open(message)).toEqual({ differsByMs: expect.closeTo(-6 * 60_000, -4) });
    expect(b.open(a.close({ kind: 'delete everything' } as unknown as Told))).toBeNull();
    expect(b.open(a.close({ ...FORGET, more: 1 } as Told))).toBeNull();
    expect(b.open(message)).not.toBeNull();
  });

  it('A44 whoever runs the bus reads nothing of what is told', () => {
    const message = createEnvelopes(key).close(
      { kind: 'deliver', channel: 'private-chat.1' },
      Buffer.from('LEAK-MARKER'),
    );
    expect(message.toString('latin1')).not.toMatch(/LEAK-MARKER|private-chat|deliver/u);
  });
});
