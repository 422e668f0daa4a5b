import { expect, it } from 'vitest';
import {
  decideNotification,
  isQuietNow,
  type NotificationContext,
  type NotificationDecision,
  type Sound,
} from './decide-notification.ts';

type Kind = 'plain' | 'mention' | 'urgent';
/** Told now, held back until the digest, or not told at all. */
type Outcome = 'told' | 'held' | 'nothing';

const TABLE: readonly (readonly [
  notify: NotificationContext['chat']['notify'],
  kind: Kind,
  clear: Outcome,
  muted: Outcome,
  quiet: Outcome,
  mutedAndQuiet: Outcome,
])[] = [
  ['all', 'plain', 'told', 'nothing', 'held', 'nothing'],
  ['all', 'mention', 'told', 'nothing', 'held', 'nothing'],
  ['all', 'urgent', 'told', 'told', 'told', 'told'],
  ['mentions', 'plain', 'nothing', 'nothing', 'nothing', 'nothing'],
  ['mentions', 'mention', 'told', 'nothing', 'held', 'nothing'],
  ['mentions', 'urgent', 'told', 'told', 'told', 'told'],
  ['urgent', 'plain', 'nothing', 'nothing', 'nothing', 'nothing'],
  ['urgent', 'mention', 'nothing', 'nothing', 'nothing', 'nothing'],
  ['urgent', 'urgent', 'told', 'told', 'told', 'told'],
  ['none', 'plain', 'nothing', 'nothing', 'nothing', 'nothing'],
  ['none', 'mention', 'nothing', 'nothing', 'nothing', 'nothing'],
  ['none', 'urgent', 'nothing', 'nothing', 'nothing', 'nothing'],
];

const LEVELS: readonly Sound[] = ['off', 'soft', 'loud'];
/** Each way in which the sounds can be chosen: whether for the chat, how loud routine ones are, how loud urgent ones. */
const SOUNDS = [false, true].flatMap((hasSound) =>
  LEVELS.flatMap((routine) => LEVELS.map((urgent) => ({ hasSound, sounds: { routine, urgent } }))),
);

function expected(outcome: Outcome, loudness: Sound): NotificationDecision {
  if (outcome !== 'told') return { push: 'none', sound: 'off', digest: outcome === 'held' };
  return { push: loudness === 'off' ? 'silent' : 'aloud', sound: loudness, digest: true };
}

it.each(TABLE)(
  'CHAT-16 CHAT-18 CHAT-21 CHAT-23 where a chat tells of %s, what is %s is %s; muted %s, in quiet hours %s, in both %s',
  (notify, kind, ...outcomes) => {
    for (const [index, outcome] of outcomes.entries()) {
      const [isMuted, isQuiet] = [(index & 1) === 1, (index & 2) === 2];
      for (const { hasSound, sounds } of SOUNDS) {
        const chat = { notify, isMuted, hasSound };
        const priority = kind === 'urgent' ? 'urgent' : 'routine';
        const routine = hasSound ? sounds.routine : 'off';
        const loudness = kind === 'urgent' ? sounds.urgent : routine;
        // What is urgent comes through the same whether it mentions me or not.
        for (const isMentioned of kind === 'urgent' ? [false, true] : [kind === 'mention']) {
          const decided = decideNotification({ priority, isMentioned, chat, person: { sounds, isQuiet } });
          expect(decided).toEqual(expected(outcome, loudness));
        }
      }
    }
  },
);

it('CHAT-23 by what is chosen for nobody a routine message makes no sound', () => {
  const chat = { notify: 'all', isMuted: false, hasSound: false } as const;
  const person = { sounds: { routine: 'loud', urgent: 'loud' }, isQuiet: false } as const;
  expect(decideNotification({ priority: 'routine', isMentioned: true, chat, person })).toMatchObject({
    push: 'silent',
    sound: 'off',
  });
});

const AT = (localTime: string, isOnCall = false) => ({ localTime, isOnCall });
const NIGHT = { from: '22:00', until: '06:30', offCall: false };
const NOON = { from: '12:00', until: '13:00', offCall: false };
const NEVER = { from: null, until: null, offCall: false };

it.each([
  [NIGHT, AT('21:59'), false],
  [NIGHT, AT('22:00'), true],
  [NIGHT, AT('00:00'), true],
  [NIGHT, AT('06:29'), true],
  [NIGHT, AT('06:30'), false],
  [NOON, AT('11:59'), false],
  [NOON, AT('12:00'), true],
  [NOON, AT('13:00'), false],
  [{ ...NOON, until: '12:00' }, AT('03:00'), true],
  [NEVER, AT('03:00'), false],
  [{ ...NEVER, offCall: true }, AT('12:00'), true],
  [{ ...NEVER, offCall: true }, AT('12:00', true), false],
  [{ ...NIGHT, offCall: true }, AT('12:00'), true],
  [{ ...NIGHT, offCall: true }, AT('23:00', true), true],
])('CHAT-16 %o is at %o quiet: %s', (hours, at, isQuiet) => {
  expect(isQuietNow(hours, at)).toBe(isQuiet);
});
