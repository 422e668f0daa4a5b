import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMessage } from '#/platform/hl7/decode-message.ts';
import { Hl7Error } from '#/platform/hl7/hl7-error.ts';
import { runs } from '#/testing/nightly.ts';
import { isOlder, type LaboratoryReport, mergeReports } from './laboratory-report.ts';
import { readOru } from './read-oru.ts';
import { oru } from './testing/oru.ts';

const place = { timeZone: 'Europe/Dublin', now: new Date('2026-11-20T00:00:00Z'), codes: new Map([['K', '2823-3']]) };
const read = (text: string) => readOru(text, place);

function only(text: string): LaboratoryReport {
  const [report, other] = read(text).reports;
  if (!report || other) throw new Error('not one report');
  return report;
}

const finding = (obx: string) => only(oru({ findings: [obx] })).findings[0];

describe('one report', () => {
  it('EXAM-2 says whose it is, by which numbers, when and how sure', () => {
    expect(only(oru({ visit: 'V77', placer: 'P-9' }))).toMatchObject({
      ...{ key: 'CORELAB|F-1001|24321-2', title: 'Renal profile', loinc: '24321-2', laboratory: 'CORELAB' },
      ...{ placer: 'P-9', number: 'F-1001', status: 'final', reportedAt: '2026-11-19T10:15:00.000Z' },
      patient: {
        ...{ name: 'Edith Maron', bornOn: '1948-03-14' },
        identifiers: [
          { value: '40-118-236', authority: 'H1' },
          { value: 'V77', authority: null },
        ],
      },
    });
  });

  it.each([
    [
      'NM|2823-3^Potassium^LN||7.10|mmol/L|3.5-5.3|HH|||F',
      {
        kind: 'quantity',
        value: '7.10',
        interpretation: 'HH',
        unit: { code: 'mmol/L' },
        range: { low: '3.5', high: '5.3' },
        loinc: '2823-3',
      },
    ],
    [
      'NM|K^Kalium^99L||5.0|mmol/L|<5.3||||F',
      { kind: 'quantity', loinc: '2823-3', range: { high: '5.3' }, interpretation: null },
    ],
    ['NM|6690-2^White cells^LN||4.1|10\\S\\9/L|||||F', { unit: { code: '10*9/L', label: '10^9/L' } }],
    ['NM|X^Odd^99L||4.1|drops|||||F', { kind: 'text', value: '4.1 drops', unit: null }],
    ['SN|X^Troponin^99L||<^3|ng/L|||||F', { kind: 'quantity', value: '<3', unit: { code: 'ng/L' } }],
    ['SN|X^Titre^99L||^1^:^128||||||F', { kind: 'text', value: '1:128' }],
    ['SN|X^Cells^99L||^2^-^5|/uL|||||F', { kind: 'range', value: '2–5' }],
    ['ST|X^Note^99L||a\\F\\b\\T\\c||||||F', { kind: 'text', value: 'a|b&c' }],
    ['ST|2823-3^Potassium^LN||4.4|mmol/L|||||F', { kind: 'quantity', value: '4.4' }],
    ['FT|X^Text^99L||one\\.br\\two\\H\\bold\\N\\\\X41\\||||||F', { kind: 'text', value: 'one\ntwoboldA' }],
    ['TX|X^Text^99L||one~two||||||F', { kind: 'text', value: 'one\ntwo' }],
    [
      'CWE|X^Growth^99L||112283007^Escherichia coli^SCT|||A|||F',
      { kind: 'text', value: 'Escherichia coli', interpretation: 'A' },
    ],
    ['DT|X^Day^99L||20261101||||||F', { value: '2026-11-01' }],
    ['TM|X^Time^99L||0815||||||F', { value: '08:15' }],
    ['TS|X^When^99L||202611010815+0100||||||F', { value: '2026-11-01 08:15 +0100' }],
    ['NM|X^Gone^99L||4.1|mmol/L|||||X', { kind: 'text', value: 'No result' }],
    ['NM|X^Gone^99L||4.1|mmol/L|||||D', { value: '', isWithdrawn: true }],
    [
      'NM|X^Wrong^99L||4.1|mmol/L||HH|||W',
      { value: '', interpretation: null, note: 'Taken back by the laboratory: it was wrong' },
    ],
    ['ST|X^Drug^99L||8|||R^resistant|||F', { note: 'Flag: R, resistant', interpretation: null }],
    ['NM|X^Sodium^99L||139|mmol/L|adults only||||F', { kind: 'quantity', range: null, note: 'Reference: adults only' }],
    ['NM|X^K^99L||4||||||F|||20261119093000+0000', { observedAt: '2026-11-19T09:30:00.000Z', note: null }],
    ['NM|X^K^99L||4||||||F|||20261118', { note: 'Time: 20261118' }],
    ['NM|X^K^99L||4||||||F|||209911190930', { note: 'Time: 209911190930' }],
    ['NM|X^K^99L||4||||||F|||20261119 9:30', { note: 'Time: 20261119 9:30' }],
  ])('EXAM-2 %s', (obx, wanted) => {
    expect(finding(obx)).toMatchObject(wanted);
    if (!('observedAt' in wanted)) expect(finding(obx)).not.toHaveProperty('observedAt');
  });

  it('EXAM-2 keeps comments with what they speak of, joins the lines of a text and names a document', () => {
    const report = only(
      oru({
        findings: [
          'TX|X^Text^99L||line 1||||||F',
          'TX|X^Text^99L||line 2||||||F',
          'ED|PDF^Report^99L||^AP^^Base64^JVBERi0||||||F',
        ],
        more: ['NTE|1||Ask the laboratory.'],
      }),
    );
    expect(report.findings).toMatchObject([
      { value: 'line 1\nline 2' },
      { value: 'Not taken: sent as ED. Ask the laboratory for it.', note: 'Ask the laboratory.' },
    ]);
  });

  it('EXAM-3 says by its findings how sure it is where the report does not', () => {
    const status = (of: string) => only(oru({ status: '', findings: [`NM|X^K^99L||4|mmol/L|||||${of}`] })).status;
    expect(['P', 'F', 'C', 'D'].map(status)).toEqual(['preliminary', 'final', 'corrected', 'corrected']);
  });

  it('takes a time without an offset by the facility’s clock', () => {
    const text = oru().replaceAll('+0000', '').replaceAll('20261119101500', '20260719101500');
    expect(only(text).reportedAt).toBe('2026-07-19T09:15:00.000Z');
  });
});

it('EXAM-2 reads each OBR of a message as a report, and none of an order without results', () => {
  const second = [
    'OBR|2||F-1002|58410-2^Blood count^LN|||||||||||||||||||||F',
    'OBX|1|NM|718-7^Hb^LN||70|g/L|||||F',
    'OBR|3||F-1003|X^Waits|||||||||||||||||||||I',
  ];
  expect(read(oru({ more: second })).reports.map(({ key }) => key)).toEqual([
    'CORELAB|F-1001|24321-2',
    'CORELAB|F-1002|58410-2',
  ]);
});

describe('what is refused, and why', () => {
  it.each([
    ['no OBR', oru().split('\r').slice(0, 3).join('\r'), 100, 'OBR is missing'],
    [
      'no PID',
      oru()
        .split('\r')
        .filter((line) => !line.startsWith('PID'))
        .join('\r'),
      100,
      'PID is missing',
    ],
    ['no number', oru({ filler: '' }), 101, 'OBR-2 and OBR-3 are both empty'],
    ['another event', oru().replace('ORU^R01', 'ORU^R30'), 201, 'the event R30 is not taken'],
    ['training', oru().replace('|P|2.5.1', '|T|2.5.1'), 202, 'MSH-11 is T; only P, production, is taken'],
    ['a status of no table', oru({ status: 'Q' }), 103, 'OBR-25 is Q, not of table 0123'],
    ['the future', oru({ at: '20301119101500' }), 102, 'the report is of 2030-11-19T10:15Z, which is still to come'],
    [
      'only a document',
      oru({ findings: ['ED|PDF^Report^99L||^AP^^Base64^JVBERi0||||||F'] }),
      102,
      'the report is a document (ED, RP); only values and text are taken',
    ],
    [
      'another character set',
      decodeMessage(Buffer.from(oru({ name: 'Müller' }), 'latin1')),
      102,
      'the text is not in the character set of MSH-18',
    ],
    [
      'one report twice',
      [oru(), ...oru().split('\r').slice(-2)].join('\r'),
      102,
      'the same report (OBR-3, OBR-4) stands in it twice',
    ],
  ])('%s', (_, text, code, message) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code, message }));
  });
});

it('reads names in the character set that the message names', () => {
  const text = oru({ name: 'Müller^Jörg' }).replace('|2.5.1', '|2.3||||||8859/1');
  expect(only(decodeMessage(Buffer.from(text, 'latin1'))).patient.name).toBe('Jörg Müller');
});

describe('versions', () => {
  const at = (time: string, status: string, findings?: string[]) =>
    only(oru({ at: time, status, ...(findings && { findings }) }));

  it('EXAM-3 puts a correction after what it corrects, whichever came first', () => {
    const [final, corrected] = [at('20261119101500', 'F'), at('20261119120000', 'C')];
    expect([isOlder(final, corrected), isOlder(corrected, final)]).toEqual([true, false]);
    expect(isOlder(at('20261119101500', 'P'), final)).toBe(true);
    expect(isOlder(final, final)).toBe(false);
  });

  it('EXAM-3 keeps what a later message does not speak of, in its place', () => {
    const both = ['NM|K^K^99L||4.1|mmol/L|||||F', 'NM|NA^Na^99L||139|mmol/L|||||F'];
    const merged = mergeReports(
      at('20261119101500', 'P', both),
      at('20261119120000', 'C', ['NM|NA^Na^99L||141|mmol/L|||||C', 'NM|CL^Cl^99L||99|mmol/L|||||F']),
    );
    expect(merged.findings.map(({ code, value }) => `${code} ${value}`)).toEqual(['K 4.1', 'NA 141', 'CL 99']);
    expect(merged.status).toBe('corrected');
  });
});

describe('anything at all', () => {
  const lines = oru({ more: ['NTE|1||note'] }).split('\r');
  const bent = fc
    .tuple(fc.shuffledSubarray(lines, { minLength: 1 }), fc.nat(400), fc.string({ maxLength: 30, unit: 'binary' }))
    .map(([some, at, more]) => {
      const text = [lines[0], ...some].join('\r');
      return text.slice(0, at) + more + text.slice(at);
    });

  it('A16 is read, or refused with a code and words of bounded length', () => {
    const given = fc.oneof(bent, fc.string({ maxLength: 400 }));
    const isBounded = (text: string) => {
      try {
        expect(read(text).reports.length).toBeLessThanOrEqual(50);
      } catch (error) {
        expect(error).toBeInstanceOf(Hl7Error);
        expect((error as Hl7Error).message.length).toBeLessThan(300);
      }
    };
    fc.assert(fc.property(given, isBounded), { numRuns: runs(300) });
  });
});
