import { describe, expect, it } from 'vitest';
import { compareReadBack, isSamePatient, isSameUnit, isSameValue } from './read-back.ts';

const mmol = { code: 'mmol/L', label: 'mmol/L' };
const cells = { code: '10*9/L', label: '10⁹/L' };
const micromol = { code: 'umol/L', label: 'µmol/L' };
const patient = { name: 'Jan Novák', identifier: '40-118-236', born_on: '1948-03-14' };
const nobody = { name: '', identifier: '', born_on: null };

describe('a read-back', () => {
  it.each([
    ...[
      ['6.80', '6.8'],
      ['6,8', '6.8'],
      ['06.8', '6.80'],
      ['-0.0', '0'],
      ['0.1', '0.10000000'],
    ],
    ...[
      ['999999999999.00000001', '999999999999.00000001'],
      ['<0.50', '< 0.5'],
      ['> 40', '>40'],
      ['12 - 15', '12–15'],
    ],
    ...[
      ['12,0...15', '12-15'],
      ['ventricular  tachycardia', 'Ventricular tachycardia'],
      ['pneumothorax left', 'Pneumothorax, left'],
      ['elevation', 'Élévation'],
    ],
  ] as const)('EXAM-5 “%s” says again what is written %s', (said, wanted) => {
    expect(isSameValue(said, wanted)).toBe(true);
  });

  it.each([
    ...[
      ['8.6', '6.8'],
      ['68', '6.8'],
      ['6.8', '-6.8'],
      ['0.5', '<0.5'],
      ['>0.5', '<0.5'],
      ['', '6.8'],
      ['six', '6.8'],
    ],
    ...[
      ['999999999999.00000002', '999999999999.00000001'],
      ['12', '12–15'],
      ['15-12', '12-15'],
      ['12-15', '12'],
    ],
    ...[
      ['left pneumothorax', 'No pneumothorax'],
      ['', '!'],
      ['6.8 mmol/L', '6.8'],
    ],
  ] as const)('EXAM-5 “%s” is not %s', (said, wanted) => {
    expect(isSameValue(said, wanted)).toBe(false);
  });

  it.each([
    ...[
      ['mmol/L', mmol, true],
      ['mmol / l', mmol, true],
      ['Mmol/L', mmol, false],
      ['mol/L', mmol, false],
      ['mmol/dL', mmol, false],
    ],
    ...[
      ['umol/L', micromol, true],
      ['µmol/L', micromol, true],
      ['μmol/l', micromol, true],
      ['mmol/L', micromol, false],
    ],
    ...[
      ['10*9/L', cells, true],
      ['10^9/l', cells, true],
      ['10⁹/L', cells, true],
      ['× 10⁹/L', cells, true],
      ['x10^9/l', cells, true],
      ['x 10^6/L', cells, false],
      ['×mmol/L', mmol, false],
      ['10^6/L', cells, false],
      ['', mmol, false],
    ],
    ...[
      ['', null, true],
      ['mmol/L', null, false],
      ['mmHg', { code: 'mm[Hg]', label: 'mmHg' }, true],
      ['mm[Hg]', { code: 'mm[Hg]', label: 'mmHg' }, true],
    ],
  ] as const)('EXAM-5 the unit “%s” for %o: %s', (said, unit, is) => {
    expect(isSameUnit(said, unit)).toBe(is);
  });

  it.each([
    [{ ...nobody, identifier: '40-118-236' }, true],
    [{ ...nobody, identifier: 'MRN 40 118 236' }, true],
    [{ ...nobody, name: 'novak, jan', born_on: '1948-03-14' }, true],
    [{ ...nobody, name: 'Jan Novák', identifier: '40118236' }, true],
    [{ ...nobody, name: 'Jan Novák' }, false],
    [{ ...nobody, born_on: '1948-03-14' }, false],
    [nobody, false],
    [{ ...nobody, name: 'Jana Novák', identifier: '40-118-236' }, false],
    [{ ...nobody, name: 'Jan Novák', identifier: '40-118-263' }, false],
    [{ ...nobody, name: 'Jan Novák', born_on: '1948-03-15' }, false],
    [{ ...nobody, identifier: '40-118-236', born_on: '1948-03-15' }, false],
  ])('EXAM-5 the patient by %o: %s', (said, is) => {
    expect(isSamePatient(said, patient)).toBe(is);
  });

  it('EXAM-5 the marks of an identifier are not said aloud, its letters are', () => {
    const known = { ...patient, identifier: 'Ž-118' };
    expect(isSamePatient({ ...nobody, identifier: 'mrn z118' }, known)).toBe(true);
    expect(isSamePatient({ ...nobody, identifier: 's118' }, known)).toBe(false);
  });

  it('EXAM-5 names the parts that do not agree and never what would be right', () => {
    const findings = [
      { field: 'potassium', label: 'Potassium', value: '6.8', unit: mmol, interpretation: 'HH' as const },
      { field: 'sodium', label: 'Sodium', value: '118', unit: mmol, interpretation: 'LL' as const },
    ];
    const known = { findings, patient };
    const right = [
      { field: 'sodium', value: '118.0', unit: 'mmol/L' },
      { field: 'potassium', value: '6,80', unit: 'mmol/l' },
    ];
    const byNumber = { ...nobody, identifier: '40-118-236' };
    expect(compareReadBack({ findings: right, patient: byNumber }, known)).toEqual([]);
    const wrong = compareReadBack(
      { findings: [{ field: 'potassium', value: '8.6', unit: 'mmol/L' }], patient: nobody },
      known,
    );
    expect(wrong).toEqual([
      { part: 'value', label: 'Potassium' },
      { part: 'value', label: 'Sodium' },
      { part: 'unit', label: 'Sodium' },
      { part: 'patient', label: null },
    ]);
    expect(JSON.stringify(wrong)).not.toMatch(/6.8|118|40-/);
  });
});
