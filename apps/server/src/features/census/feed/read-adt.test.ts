import { expect, it } from 'vitest';
import { AdtError, controlIdOf, readAdt } from './read-adt.ts';

const transfer = [
  'MSH|^~\\&|ADT|H1|CENSUS|H1|20261119231500+0800||ADT^A02^ADT_A02|M0001|P|2.5.1',
  'EVN|A02|20261119231000+0800||||20261119230800+0800',
  'PID|1||PSEUDO123^^^H1^MR',
  'PV1|1|I|SUR^201^1^H1|||MED^104^2^H1|||||||||||||V0001',
];
const read = (segments: readonly string[], zone = 'Asia/Manila') => readAdt(segments.join('\r'), zone);
const without = (name: string) => transfer.filter((segment) => !segment.startsWith(name));
const changed = (name: string, segment: string) => transfer.map((one) => (one.startsWith(name) ? segment : one));

it('CEN-8 a transfer is read with the time at which it happened, not that of the message', () => {
  expect(read(transfer)).toEqual({
    controlId: 'M0001',
    trigger: 'A02',
    at: new Date('2026-11-19T15:08:00Z'),
    mergedNumber: null,
    visits: [
      {
        visitNumber: 'V0001',
        unitCode: 'SUR',
        bed: '201-1',
        class: 'adult_child',
        isBirth: false,
        isInpatient: true,
        isDeath: false,
        bedStatus: null,
      },
    ],
  });
});

it('CEN-8 segments may end with line feeds, and a time without an offset is the facility’s', () => {
  const local = changed('EVN', 'EVN|A02|202611010130');
  expect(readAdt(local.join('\n'), 'America/New_York').at.toISOString()).toBe('2026-11-01T05:30:00.000Z');
  expect(readAdt(local.join('\r\n'), 'Asia/Manila').at.toISOString()).toBe('2026-10-31T17:30:00.000Z');
});

it('CEN-8 a birth is of the class newborn, a disposition of the dead is a death', () => {
  const birth = changed('PV1', 'PV1|1|I|NUR^1^1|N|||||||||||||||V0002').join('\r').replaceAll('A02', 'A01');
  expect(readAdt(birth, 'UTC').visits[0]).toMatchObject({ class: 'newborn', isBirth: true });
  const visit = ['PV1', '1', 'I', 'MED'];
  visit[19] = 'V3';
  visit[36] = '20';
  const death = changed('PV1', Array.from({ length: 37 }, (_, index) => visit[index] ?? '').join('|'));
  expect(readAdt(death.join('\r').replaceAll('A02', 'A03'), 'UTC').visits[0]?.isDeath).toBe(true);
});

it('CEN-8 a swap is about two visits, a merge names what is merged', () => {
  const swap = [...transfer, 'PID|2||P2', 'PV1|2|I|MED^104^2|||SUR^201^1|||||||||||||V0002'];
  expect(readAdt(swap.join('\r').replaceAll('A02', 'A17'), 'UTC').visits.map(({ visitNumber }) => visitNumber)).toEqual(
    ['V0001', 'V0002'],
  );
  const merge = [...without('PV1'), 'MRG|P9||A9'].join('\r').replaceAll('A02', 'A40');
  expect(readAdt(merge, 'UTC')).toMatchObject({ mergedNumber: 'A9', visits: [{ visitNumber: 'PSEUDO123' }] });
});

it.each([
  ['nothing at all', [''], 'this is not an HL7 v2 message'],
  ['a text', ['good morning'], 'this is not an HL7 v2 message'],
  ['no control id', changed('MSH', 'MSH|^~\\&|ADT|H1|CENSUS|H1|20261119231500||ADT^A02||P|2.5.1'), 'MSH-10 is missing'],
  ['another kind', changed('MSH', 'MSH|^~\\&|LAB|H1|CENSUS|H1|20261119||ORU^R01|M1|P|2.5.1'), 'MSH-9 is ORU, not ADT'],
  [
    'an event that is not taken',
    changed('MSH', 'MSH|^~\\&|ADT|||||| ADT^A60|M1'.replace(' ADT', 'ADT')),
    'the event A60 is not taken',
  ],
  ['no EVN', without('EVN'), 'EVN is missing'],
  ['no PV1', without('PV1'), 'PV1 is missing'],
  ['no visit number', [...without('PV1').filter((one) => !one.startsWith('PID')), 'PV1|1|I|SUR'], 'PV1-19 is missing'],
  ['no such day', changed('EVN', 'EVN|A02|20270229'), '20270229 is not a time'],
  ['no such hour', changed('EVN', 'EVN|A02|202611192560'), '202611192560 is not a time'],
  ['words for a time', changed('EVN', 'EVN|A02|yesterday'), 'yesterday is not a time'],
])('CEN-8 %s is refused with its reason', (_, segments, reason) => {
  expect(() => read(segments)).toThrow(new AdtError(reason));
});

it('CEN-8 the control id of a broken message is found where it has one', () => {
  expect(controlIdOf(without('PV1').join('\r'))).toBe('M0001');
  expect(controlIdOf('good morning')).toBeNull();
});
