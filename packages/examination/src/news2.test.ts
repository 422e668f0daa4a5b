import { describe, expect, it } from 'vitest';
import { type News2Part, type News2Risk, news2, type Observations, observationsOf } from './news2.ts';

/** Nobody's score: every part at 0. */
const well: Observations = {
  ...{ respiration: '16', spo2: '98', spo2Scale: 1, onOxygen: false },
  ...{ systolic: '125', pulse: '70', consciousness: 'A', temperature: '37.0' },
};

// From the chart: Royal College of Physicians. National Early Warning Score (NEWS) 2. London: RCP, 2017. Chart 1, each end of each box.
type Row = readonly [part: News2Part, observed: Partial<Observations>, points: number];
const of = (
  part: 'respiration' | 'systolic' | 'pulse' | 'temperature',
  ends: Readonly<Record<string, number>>,
): Row[] => Object.entries(ends).map(([value, points]) => [part, { [part]: value }, points]);
const spo2 = (seen: Partial<Observations>, ends: readonly (readonly [string, number])[]): Row[] =>
  ends.map(([value, points]) => ['spo2', { ...seen, spo2: value }, points]);

const BOUNDARIES: readonly Row[] = [
  // ≤ 8: 3, 9–11: 1, 12–20: 0, 21–24: 2, ≥ 25: 3
  ...of('respiration', { 0: 3, 8: 3, 9: 1, 11: 1, 12: 0, 20: 0, 21: 2, 24: 2, 25: 3, 60: 3 }),
  // Scale 1. ≤ 91: 3, 92–93: 2, 94–95: 1, ≥ 96: 0; whether on air or oxygen.
  ...spo2({ spo2Scale: 1 }, [
    ['60', 3],
    ['91', 3],
    ['92', 2],
    ['93', 2],
    ['94', 1],
    ['95', 1],
    ['96', 0],
    ['100', 0],
  ]),
  ...spo2({ spo2Scale: 1, onOxygen: true }, [
    ['91', 3],
    ['92', 2],
    ['94', 1],
    ['96', 0],
    ['100', 0],
  ]),
  // Scale 2. ≤ 83: 3, 84–85: 2, 86–87: 1, 88–92: 0 and ≥ 93 on air: 0; on oxygen 93–94: 1, 95–96: 2, ≥ 97: 3.
  ...spo2({ spo2Scale: 2 }, [
    ['83', 3],
    ['84', 2],
    ['85', 2],
    ['86', 1],
    ['87', 1],
    ['88', 0],
    ['92', 0],
    ['93', 0],
    ['97', 0],
    ['100', 0],
  ]),
  ...spo2({ spo2Scale: 2, onOxygen: true }, [
    ['83', 3],
    ['84', 2],
    ['85', 2],
    ['86', 1],
    ['87', 1],
    ['88', 0],
    ['92', 0],
    ['93', 1],
    ['94', 1],
    ['95', 2],
    ['96', 2],
    ['97', 3],
    ['100', 3],
  ]),
  ['oxygen', { onOxygen: false }, 0],
  ['oxygen', { onOxygen: true }, 2],
  // ≤ 90: 3, 91–100: 2, 101–110: 1, 111–219: 0, ≥ 220: 3
  ...of('systolic', { 50: 3, 90: 3, 91: 2, 100: 2, 101: 1, 110: 1, 111: 0, 219: 0, 220: 3, 280: 3 }),
  // ≤ 40: 3, 41–50: 1, 51–90: 0, 91–110: 1, 111–130: 2, ≥ 131: 3
  ...of('pulse', { 20: 3, 40: 3, 41: 1, 50: 1, 51: 0, 90: 0, 91: 1, 110: 1, 111: 2, 130: 2, 131: 3, 220: 3 }),
  // Alert: 0; new confusion, voice, pain, unresponsive: 3
  ...(['A', 'C', 'V', 'P', 'U'] as const).map(
    (code): Row => ['consciousness', { consciousness: code }, code === 'A' ? 0 : 3],
  ),
  // ≤ 35.0: 3, 35.1–36.0: 1, 36.1–38.0: 0, 38.1–39.0: 1, ≥ 39.1: 2
  ...of('temperature', {
    '32.0': 3,
    '35.0': 3,
    '35': 3,
    '35.1': 1,
    '36.0': 1,
    '36.1': 0,
    '38.0': 0,
    '38.1': 1,
    '39.0': 1,
    '39.1': 2,
    '41.5': 2,
  }),
];

describe('NEWS2', () => {
  it('EXAM-4 has at least 60 cases at the ends of the chart’s boxes', () => {
    expect(BOUNDARIES.length).toBeGreaterThanOrEqual(60);
  });

  it.each(BOUNDARIES)('EXAM-4 gives %s of %o the %d of the chart', (part, observed, points) => {
    expect(news2({ ...well, ...observed }).parts[part]).toBe(points);
  });

  // Worked by hand: respiration, SpO₂, scale, oxygen, systolic, pulse, consciousness, temperature.
  type Patient = readonly [
    name: string,
    seen: readonly [string, string, 1 | 2, boolean, string, string, Observations['consciousness'], string],
    total: number,
    risk: News2Risk,
  ];
  const PATIENTS: readonly Patient[] = [
    ['Well before an operation', ['14', '99', 1, false, '128', '66', 'A', '36.8'], 0, 'low'],
    ['An athlete asleep', ['12', '97', 1, false, '112', '51', 'A', '36.1'], 0, 'low'],
    ['An athlete with a pulse of 44', ['12', '97', 1, false, '112', '44', 'A', '36.1'], 1, 'low'],
    ['Fever with a chest infection', ['20', '95', 1, false, '118', '92', 'A', '38.2'], 3, 'low'],
    ['Four points of little', ['11', '94', 1, false, '110', '50', 'A', '37.0'], 4, 'low'],
    ['Breathing fast, else well', ['25', '98', 1, false, '125', '80', 'A', '37.0'], 3, 'single_3'],
    ['Newly confused, else well', ['16', '97', 1, false, '130', '84', 'C', '36.9'], 3, 'single_3'],
    ['A low pressure after a spinal', ['14', '98', 1, false, '88', '60', 'A', '36.4'], 3, 'single_3'],
    ['A single 3 within a four', ['26', '95', 1, false, '125', '80', 'A', '37.0'], 4, 'single_3'],
    ['Pneumonia', ['22', '93', 1, false, '122', '96', 'A', '37.9'], 5, 'medium'],
    ['Pneumonia on oxygen', ['21', '96', 1, true, '115', '91', 'A', '38.1'], 6, 'medium'],
    ['Sepsis', ['24', '94', 1, false, '99', '112', 'A', '38.6'], 8, 'high'],
    ['Septic shock', ['30', '90', 1, true, '78', '134', 'V', '39.4'], 19, 'high'],
    ['As bad as the chart goes', ['32', '85', 1, true, '70', '150', 'U', '34.0'], 20, 'high'],
    ['COPD at 89 % on air, scale 2', ['20', '89', 2, false, '130', '88', 'A', '36.9'], 0, 'low'],
    ['The same by scale 1', ['20', '89', 1, false, '130', '88', 'A', '36.9'], 3, 'single_3'],
    ['COPD, too much oxygen', ['18', '97', 2, true, '130', '88', 'A', '36.9'], 5, 'medium'],
    ['COPD in the target on oxygen', ['18', '90', 2, true, '130', '88', 'A', '36.9'], 2, 'low'],
    ['Hypothermic and slow', ['8', '95', 1, false, '105', '39', 'A', '34.8'], 11, 'high'],
    ['A hypertensive crisis', ['18', '96', 1, false, '224', '108', 'A', '36.7'], 4, 'single_3'],
  ];

  it.each(PATIENTS)('EXAM-4 scores %s', (_name, seen, total, risk) => {
    const [respiration, spo2, spo2Scale, onOxygen, systolic, pulse, consciousness, temperature] = seen;
    const observed = { respiration, spo2, spo2Scale, onOxygen, systolic, pulse, consciousness, temperature };
    expect(news2(observed)).toMatchObject({ total, risk });
  });

  it.each([
    ['spo2', '980', '100'],
    ['spo2', '100.1', '0'],
    ['respiration', '180', '100'],
    ['pulse', '-70', '0'],
    ['systolic', '1200', '400'],
    ['temperature', '370', '50'],
    ['temperature', '3.7', '10'],
  ] as const)('EXAM-4 a %s of %s is none that a patient has, and has no points; %s has', (part, slip, possible) => {
    expect(news2({ ...well, [part]: slip })).toMatchObject({ parts: { [part]: null }, total: null });
    expect(news2({ ...well, [part]: possible }).parts[part]).not.toBeNull();
  });

  it('EXAM-4 says no total while a part is missing, but a threshold that is reached already', () => {
    const { parts, total, risk } = news2({ ...well, temperature: null, pulse: 'fast' });
    expect([parts.temperature, parts.pulse, total, risk]).toEqual([null, null, null, null]);
    expect(news2({ ...well, temperature: null, pulse: '131' })).toMatchObject({ total: null, risk: 'single_3' });
    expect(news2({ ...well, spo2Scale: 2, spo2: '95', onOxygen: null }).parts).toMatchObject({
      spo2: null,
      oxygen: null,
    });
    expect(news2({ ...well, spo2Scale: 2, spo2: '90', onOxygen: null }).parts).toMatchObject({ spo2: 0, oxygen: null });
  });

  it('EXAM-4 finds its observations in a form that names them', () => {
    const field = (code: string, part?: 'respiration' | 'oxygen' | 'consciousness' | 'spo2_scale') => ({
      ...({ code, label: code, kind: 'text', part: 'finding' } as const),
      ...(part && { news2: part }),
    });
    const fields = [
      field('rr', 'respiration'),
      field('o2', 'oxygen'),
      field('acvpu', 'consciousness'),
      field('scale', 'spo2_scale'),
    ];
    const entries = [
      { field: 'rr', value: '18' },
      { field: 'o2', value: 'oxygen' },
      { field: 'acvpu', value: 'X' },
      { field: 'scale', value: '2' },
    ];
    expect(observationsOf(fields, entries)).toEqual({
      ...{ respiration: '18', spo2: null, spo2Scale: 2, onOxygen: true },
      ...{ systolic: null, pulse: null, consciousness: null, temperature: null },
    });
    expect(observationsOf(fields, [])?.onOxygen).toBeNull();
    expect(observationsOf([field('k')], entries)).toBeNull();
  });
});
