import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Hl7Error } from '#/platform/hl7/hl7-error.ts';
import { readHead } from '#/platform/hl7/read-message.ts';
import { readAdt } from './read-adt.ts';
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
    inSince: null,
    merge: null,
    bed: null,
    visits: [
      {
        stay: 'visit V0001',
        unitCode: 'SUR',
        priorUnitCode: 'MED',
        population: 'adult_and_child',
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

it('CEN-8 a birth is of the population newborn, a disposition of the dead is a death', () => {
  const birth = changed('PV1', 'PV1|1|I|NUR^1^1|N|||||||||||||||V0002').join('\r').replaceAll('A02', 'A01');
  expect(readAdt(birth, 'UTC').visits[0]).toMatchObject({ population: 'newborn', isBirth: true });
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
  expect(() => merge(without('PV1'), 'MRG|||A9')).toThrow('MRG and PID name nothing to merge');
});

it('CEN-8 a bed’s status is that of NPU, which is all that an A20 has, else of PV1', () => {
  const bed = (segments: readonly string[]) => readAdt(segments.join('\r').replaceAll('A02', 'A20'), 'UTC').bed;
  const [header = '', event = ''] = transfer;
  expect(bed([header, event, 'NPU|ICU^9^2^H1|K'])).toEqual({ unitCode: 'ICU', bed: '9-2', status: 'K' });
  expect(bed([header, event, `PV1|1||ICU^9${'|'.repeat(37)}K`])).toEqual({ unitCode: 'ICU', bed: '9', status: 'K' });
  expect(bed([header, event, 'NPU|ICU'])).toEqual({ unitCode: 'ICU', bed: null, status: '' });
  expect(() => bed([header, event])).toThrow('NPU is missing');
});

it('CEN-8 two quotes name nobody and no time: not everybody without a number is one visit', () => {
  const quotes = changed('PV1', 'PV1|1|I|SUR^201^1|||||||||||||||""|""');
  expect(read(quotes).visits[0]?.stay).toBe('patient PSEUDO123');
  expect(read(changed('EVN', 'EVN|A02|20261119231000+0800||||""')).at.toISOString()).toBe('2026-11-19T15:10:00.000Z');
  const nobody = quotes.map((one) => (one.startsWith('PID') ? 'PID|1||""' : one));
  expect(() => read(nobody)).toThrow('PV1-19 is missing');
});

it('CEN-8 a message is read with the separators and escapes that its MSH declares', () => {
  const own = transfer.map((one) => one.replaceAll(/[|^]/g, (mark) => (mark === '|' ? '#' : '*')));
  own[0] = own[0]?.replace('MSH#*~\\&', 'MSH#*~!&').replace('M0001', 'M!F!1!E!') ?? '';
  const { controlId, visits } = read(own.map((one) => one.replace('SUR*', 'S!T!R\\T\\*')));
  expect(controlId).toBe('M#1!');
  expect(visits[0]).toMatchObject({ unitCode: 'S&R\\T\\', stay: 'visit V0001' });
  expect(read(changed('PV1', 'PV1|1|I|M\\T\\S^201^1||||||||||||||||V1')).visits[0]?.unitCode).toBe('M&S');
  expect(readHead(own.join('\r')).controlId).toBe('M#1!');
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

const refusalOf = (segments: readonly string[]) => {
  try {
    read(segments);
  } catch (error) {
    if (error instanceof Hl7Error) return [error.answer, error.code, error.message];
  }
  return 'taken';
};
const head = (rest: string) => changed('MSH', `MSH|^~\\&|ADT|H1|CENSUS|H1|20261119231500||${rest}`);

it.each<[string, readonly string[], 'AE' | 'AR', number, string]>([
  ['nothing at all', [''], 'AE', 100, 'this is not an HL7 v2 message'],
  ['a text', ['good morning'], 'AE', 100, 'this is not an HL7 v2 message'],
  ['no control id', head('ADT^A02||P|2.5.1'), 'AE', 101, 'MSH-10 is missing'],
  ['a long control id', head(`ADT^A02|${'M'.repeat(200)}|P|2.5.1`), 'AE', 102, 'MSH-10 is longer than 199 characters'],
  ['another kind', head('ORU^R01|M1|P|2.5.1'), 'AR', 200, 'MSH-9 is ORU, not ADT'],
  ['no kind', head('|M1|P|2.5.1'), 'AE', 101, 'MSH-9 is missing'],
  ['an event that is not taken', head('ADT^A60|M1|P|2.5.1'), 'AR', 201, 'the event A60 is not taken'],
  ['a message for training', head('ADT^A02|M1|T|2.5.1'), 'AR', 202, 'MSH-11 is T; only P, production, is taken'],
  ['another version', head('ADT^A02|M1|P|3.0'), 'AR', 203, 'MSH-12 is 3.0; version 2 is taken'],
  ['no EVN', without('EVN'), 'AE', 100, 'EVN is missing'],
  ['no PV1', without('PV1'), 'AE', 100, 'PV1 is missing'],
  ['no visit number', [...without('P'), 'PV1|1|I|SUR'], 'AE', 101, 'PV1-19 is missing'],
  ['no such day', changed('EVN', 'EVN|A02|20270229'), 'AE', 102, 'EVN-2: 20270229 is not a time'],
  ['no such hour', changed('EVN', 'EVN|A02|202611192560'), 'AE', 102, 'EVN-2: 202611192560 is not a time'],
  [
    'a day at the end of all calendars',
    changed('EVN', 'EVN|A02|99991231235959-0800'),
    'AE',
    102,
    'EVN-2: 99991231235959-0800 is not a time',
  ],
  ['words for a time', changed('EVN', 'EVN|A02|yesterday'), 'AE', 102, 'EVN-2: yesterday is not a time'],
])('CEN-8 F-N10 %s is refused with its code of table 0357 and its reason', (_, segments, answer, code, reason) => {
  expect(refusalOf(segments)).toEqual([answer, code, reason]);
});

it('F-N10 who is in since when is read of an update, until it says that they have left', () => {
  const update = (more: string, from = 'A08') =>
    changed('PV1', `PV1|1|I|SUR^201^1|${'|'.repeat(15)}V1|${more}`)
      .join('\r')
      .replaceAll('A02', from);
  const since = (text: string) => readAdt(text, 'Asia/Manila').inSince?.toISOString() ?? null;
  const until = '|'.repeat(24);
  expect(since(update(`${until}202611031420`))).toBe('2026-11-03T06:20:00.000Z');
  expect(since(update(`${until}202611031420`, 'A04'))).toBe('2026-11-03T06:20:00.000Z');
  expect(since(update(`${until}202611031420|202611181100`))).toBeNull();
  expect(since(update(`${until}yesterday`))).toBeNull();
  expect(since(update(''))).toBeNull();
  expect(since(update(`${until}202611031420`, 'A02'))).toBeNull();
});

it('CEN-8 F-N10 number, sender and kind of a broken message are found where it has them', () => {
  expect(readHead(without('PV1').join('\r'))).toEqual({ controlId: 'M0001', sender: 'ADT · H1', kind: 'ADT^A02' });
  expect(readHead('good morning')).toEqual({ controlId: null, sender: null, kind: null });
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
        const { controlId } = readHead(text);
        try {
          const message = readAdt(text, 'America/New_York');
          expect(message.controlId).toBe(controlId);
          expect(Number.isNaN(message.at.getTime())).toBe(false);
        } catch (error) {
          expect(error).toBeInstanceOf(Hl7Error);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
