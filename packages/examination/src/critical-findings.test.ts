import type { Entry, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { describe, expect, it } from 'vitest';
import { criticalFindings, criticalQuestion, withStatements } from './critical-findings.ts';

const unit = { code: 'mmol/L', label: 'mmol/L' };
const vt = { code: 'vt', label: 'Ventricular tachycardia', interpretation: 'AA' as const };
const fields: TemplateField[] = [
  { code: 'potassium', label: 'Potassium', kind: 'quantity', part: 'finding', unit },
  { code: 'sodium', label: 'Sodium', kind: 'quantity', part: 'finding', unit },
  { code: 'rhythm', label: 'Rhythm', kind: 'code', part: 'finding', options: [vt] },
  { code: 'known', label: 'Known rhythm', kind: 'code', part: 'request', options: [vt] },
];
const entry = (field: string, value: string, interpretation: Entry['interpretation']): Entry => ({
  ...{ field, value, interpretation, comparison: null },
});
const report = (...entries: readonly Entry[]) => criticalFindings(fields, entries);
const high = entry('potassium', '6.8', 'HH');
const low = entry('sodium', '118', 'LL');

describe('what a signature leaves to be decided', () => {
  it('EXAM-5 the critical findings in the order of the form, with values as people read them', () => {
    expect(report(entry('rhythm', 'vt', 'AA'), entry('sodium', '130', 'L'), high)).toEqual([
      { field: 'potassium', label: 'Potassium', value: '6.8', unit, interpretation: 'HH' },
      { field: 'rhythm', label: 'Rhythm', value: vt.label, unit: null, interpretation: 'AA' },
    ]);
    expect(report(entry('potassium', '', 'HH'))).toEqual([]);
    expect(report(entry('known', 'vt', 'AA')), 'what the request says is no finding').toEqual([]);
  });

  it('EXAM-5 all of a first report, and of an amendment what is new or another value', () => {
    const fieldsOf = (before: Entry[], after: Entry[]) =>
      criticalQuestion({ before: report(...before), after: report(...after), alerts: [] }).undecided.map(
        ({ field }) => field,
      );
    expect(fieldsOf([], [high, low])).toEqual(['potassium', 'sodium']);
    expect(fieldsOf([high, low], [high, low])).toEqual([]);
    expect(fieldsOf([high], [high, low])).toEqual(['sodium']);
    expect(fieldsOf([high], [entry('potassium', '7.1', 'HH')])).toEqual(['potassium']);
    expect(fieldsOf([high], [entry('potassium', '4.8', 'N')])).toEqual([]);
  });

  it('EXAM-5 an open alert is over where one of its findings changed, and what else it called about is decided anew', () => {
    const alert = { id: 'a', state: 'escalated', findings: report(high, low) } as const;
    const ask = (after: Entry[], state: 'escalated' | 'closed' = 'escalated') => {
      const asked = criticalQuestion({
        before: report(high, low),
        after: report(...after),
        alerts: [{ ...alert, state }],
      });
      return [asked.outdated, asked.undecided.map(({ field }) => field)];
    };
    expect(ask([high, low])).toEqual([[], []]);
    expect(ask([low])).toEqual([['a'], ['sodium']]);
    expect(ask([])).toEqual([['a'], []]);
    expect(ask([low], 'closed'), 'what is over is not undone').toEqual([[], []]);
  });

  it('EXAM-5 a long text is read back in few words, which its signer gives', () => {
    const long = { field: 'main', label: 'Main finding', value: 'Left tension '.repeat(10), unit: null } as const;
    const findings = [{ ...long, interpretation: 'AA' as const }, ...report(high)];
    expect(withStatements(findings, []).missing.map(({ field }) => field)).toEqual(['main']);
    const given = [
      { field: 'main', text: 'Tension pneumothorax left' },
      { field: 'potassium', text: 'fine' },
    ];
    const stated = withStatements(findings, given);
    expect(stated.missing).toEqual([]);
    expect(stated.findings.map(({ value }) => value)).toEqual(['Tension pneumothorax left', '6.8']);
  });
});
