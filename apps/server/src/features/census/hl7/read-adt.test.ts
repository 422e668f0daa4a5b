import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AdtError, controlIdOf, readAdt } from './read-adt.ts';
import { garbledAdt } from './testing/garbled-adt.ts';

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
    merge: null,
    bed: null,
    visits: [
      {
        stay: 'visit V0001',
        unitCode: 'SUR',
        class: 'adult_child',
        isBirth: false,
        patientClass: 'I',
        isDeath: false,
      },
    ],
  });
});

it('CEN-8 segments may end with line feeds, and a time without any offset is the facility’s', () => {
  const local = changed('EVN', 'EVN|A02|202611010130').map((one) => one.replace('231500+0800', '231500'));
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

it('CEN-8 a swap is about two visits', () => {
  const swap = [...transfer, 'PID|2||P2', 'PV1|2|I|MED^104^2|||SUR^201^1|||||||||||||V0002'];
  expect(readAdt(swap.join('\r').replaceAll('A02', 'A17'), 'UTC').visits.map(({ stay }) => stay)).toEqual([
    'visit V0001',
    'visit V0002',
  ]);
});

it('CEN-8 a merge is of visits or accounts where both are named, else of patients, and a patient’s number is no visit', () => {
  const merge = (segments: readonly string[], mrg: string) =>
    readAdt([...segments, mrg].join('\r').replaceAll('A02', 'A40'), 'UTC').merge;
  expect(merge(transfer, 'MRG|P9||A9||V9')).toEqual({ from: 'visit V9', into: 'visit V0001' });
  expect(merge(transfer, 'MRG|P9||A9')).toEqual({ from: 'visit A9', into: 'visit V0001' });
  expect(merge(transfer, 'MRG|P9')).toEqual({ from: 'patient P9', into: 'patient PSEUDO123' });
  expect(merge(without('PV1'), 'MRG|P9||A9')).toEqual({ from: 'patient P9', into: 'patient PSEUDO123' });
  expect(() => merge(without('PV1'), 'MRG|||A9')).toThrow(new AdtError('MRG and PID name nothing to merge'));
});

it('CEN-8 a bed’s status is that of NPU, which is all that an A20 has, else of PV1', () => {
  const bed = (segments: readonly string[]) => readAdt(segments.join('\r').replaceAll('A02', 'A20'), 'UTC').bed;
  const [header = '', event = ''] = transfer;
  expect(bed([header, event, 'NPU|ICU^9^2^H1|K'])).toEqual({ unitCode: 'ICU', bed: '9-2', status: 'K' });
  expect(bed([header, event, `PV1|1||ICU^9${'|'.repeat(37)}K`])).toEqual({ unitCode: 'ICU', bed: '9', status: 'K' });
  expect(bed([header, event, 'NPU|ICU'])).toEqual({ unitCode: 'ICU', bed: null, status: '' });
  expect(() => bed([header, event])).toThrow(new AdtError('NPU is missing'));
});

it('CEN-8 two quotes name nobody and no time: not everybody without a number is one visit', () => {
  const quotes = changed('PV1', 'PV1|1|I|SUR^201^1|||||||||||||||""|""');
  expect(read(quotes).visits[0]?.stay).toBe('patient PSEUDO123');
  expect(read(changed('EVN', 'EVN|A02|20261119231000+0800||||""')).at.toISOString()).toBe('2026-11-19T15:10:00.000Z');
  const nobody = quotes.map((one) => (one.startsWith('PID') ? 'PID|1||""' : one));
  expect(() => read(nobody)).toThrow(new AdtError('PV1-19 is missing'));
});

it('CEN-8 a message is read with the separators and escapes that its MSH declares', () => {
  const own = transfer.map((one) => one.replaceAll(/[|^]/g, (mark) => (mark === '|' ? '#' : '*')));
  own[0] = own[0]?.replace('MSH#*~\\&', 'MSH#*~!&').replace('M0001', 'M!F!1!E!') ?? '';
  const { controlId, visits } = read(own.map((one) => one.replace('SUR*', 'S!T!R\\T\\*')));
  expect(controlId).toBe('M#1!');
  expect(visits[0]).toMatchObject({ unitCode: 'S&R\\T\\', stay: 'visit V0001' });
  expect(read(changed('PV1', 'PV1|1|I|M\\T\\S^201^1||||||||||||||||V1')).visits[0]?.unitCode).toBe('M&S');
  expect(controlIdOf(own.join('\r'))).toBe('M#1!');
});

it('CEN-8 a time without an offset has that of MSH-7, also where the facility’s clock shows it twice', () => {
  const at = (sent: string, happened: string) => {
    const segments = transfer.map((one) =>
      one.replace('20261119231500+0800', sent).replace(/^EVN.*/, `EVN|A02|${happened}`),
    );
    return read(segments, 'America/New_York').at.toISOString();
  };
  expect(at('20261101013500-0500', '202611010130')).toBe('2026-11-01T06:30:00.000Z');
  expect(at('20261101013500-0400', '202611010130')).toBe('2026-11-01T05:30:00.000Z');
  expect(at('20261101013500-0500', '202611010130-0400')).toBe('2026-11-01T05:30:00.000Z');
  expect(at('20260308', '202603080230')).toBe('2026-03-08T07:00:00.000Z');
  expect(at('20261119', '2026111923')).toBe('2026-11-20T04:00:00.000Z');
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
  [
    'a day at the end of all calendars',
    changed('EVN', 'EVN|A02|99991231235959-0800'),
    '99991231235959-0800 is not a time',
  ],
  ['words for a time', changed('EVN', 'EVN|A02|yesterday'), 'yesterday is not a time'],
])('CEN-8 %s is refused with its reason', (_, segments, reason) => {
  expect(() => read(segments)).toThrow(new AdtError(reason));
});

it('CEN-8 the control id of a broken message is found where it has one', () => {
  expect(controlIdOf(without('PV1').join('\r'))).toBe('M0001');
  expect(controlIdOf('good morning')).toBeNull();
});

it('CEN-8 whatever comes is read, or refused in words', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        garbledAdt,
        fc.string(),
        fc.string().map((text) => `MSH${text}`),
      ),
      (text) => {
        const controlId = controlIdOf(text);
        try {
          const message = readAdt(text, 'America/New_York');
          expect(message.controlId).toBe(controlId);
          expect(Number.isNaN(message.at.getTime())).toBe(false);
        } catch (error) {
          expect(error).toBeInstanceOf(AdtError);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
