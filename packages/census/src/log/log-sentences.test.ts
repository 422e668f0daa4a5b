import { REASON_CODES } from '@wardline/contract/census/census.ts';
import { CENSUS_ACTIONS } from '@wardline/contract/census/logs.ts';
import { describe, expect, it } from 'vitest';
import { changesOf } from './log-changes.ts';
import { formatReasonCode } from './log-labels.ts';
import { type LogSentenceInput, logSentence, sentenceText } from './log-sentences.ts';

const DATES: Readonly<Record<string, string>> = { '2026-11-17': 'Tue 17 Nov', '2026-11-20': 'Fri 20 Nov' };
const sayDate = (date: string) => DATES[date] ?? date;

const entry = (more: Partial<LogSentenceInput> = {}): LogSentenceInput => ({
  seq: 4211,
  redacted_after_years: null,
  actor_name: 'Ana Reyes',
  action: 'unit_day.save',
  outcome: 'done',
  unit_code: 'MED 3A',
  census_date: '2026-11-17',
  population: 'adult_and_child',
  before: null,
  after: null,
  after_approval: false,
  reason_code: null,
  reason: null,
  ...more,
});
const said = (more: Partial<LogSentenceInput>) => sentenceText(logSentence(entry(more), sayDate));
const nowhere = { unit_code: null, census_date: null, population: null };

describe('a change of a report', () => {
  it('CEN-7 says what was changed, where, when and why', () => {
    const change = { before: { discharges: 4, closing: 25 }, after: { discharges: 5, closing: 24 } };
    expect(said({ ...change, after_approval: true, reason_code: 'late_slip', reason: 'Found at 7' })).toBe(
      'Ana Reyes changed discharges 4 → 5 on MED 3A, Tue 17 Nov, after approval: late slip.',
    );
    expect(logSentence(entry(change), sayDate)).toEqual([
      { text: 'Ana Reyes changed ', isStrong: false },
      { text: 'discharges 4 → 5', isStrong: true },
      { text: ' on MED 3A, Tue 17 Nov.', isStrong: false },
    ]);
  });

  it('CEN-7 says the first three changes and how many more there are, not what follows from them', () => {
    const before = { admissions: 1, discharges: 2, deaths: 0, on_leave: 1, counted: 20, closing: 20, version: 1 };
    const after = { admissions: 2, discharges: 3, deaths: 1, on_leave: 0, counted: 19, closing: 19, version: 2 };
    expect(said({ before, after })).toBe(
      'Ana Reyes changed admissions 1 → 2, discharges 2 → 3, deaths 0 → 1 and 2 more on MED 3A, Tue 17 Nov.',
    );
  });

  it('CEN-7 names a long text without repeating it, and says – where nothing was given', () => {
    expect(said({ before: { note: null }, after: { note: 'Three patients came at once from the theatre' } })).toBe(
      'Ana Reyes changed the note on MED 3A, Tue 17 Nov.',
    );
    expect(said({ before: { counted: null }, after: { counted: 22 } })).toBe(
      'Ana Reyes changed head count – → 22 on MED 3A, Tue 17 Nov.',
    );
  });

  it('CEN-7 a report of newborns is named as one', () => {
    expect(said({ population: 'newborn', unit_code: 'NUR', action: 'unit_day.approve' })).toBe(
      'Ana Reyes approved NUR newborn, Tue 17 Nov.',
    );
  });
});

describe('every action', () => {
  it.each<[string, Partial<LogSentenceInput>]>([
    ['Ana Reyes began MED 3A, Tue 17 Nov.', { before: null, after: { admissions: 2 } }],
    ['Ana Reyes saved MED 3A, Tue 17 Nov.', { before: { version: 1 }, after: { version: 2 } }],
    [
      'Ana Reyes submitted MED 3A, Tue 17 Nov, closing 22, counted 21, late.',
      { action: 'unit_day.submit', after: { closing: 22, counted: 21, is_on_time: false } },
    ],
    ['Ana Reyes took MED 3A, Tue 17 Nov back.', { action: 'unit_day.withdraw' }],
    [
      'Ana Reyes returned MED 3A, Tue 17 Nov: The deaths are missing.',
      { action: 'unit_day.return', reason: ' The deaths are missing. ' },
    ],
    ['Ana Reyes approved MED 3A, Tue 17 Nov.', { action: 'unit_day.approve' }],
    [
      'Ana Reyes opened MED 3A, Tue 17 Nov for a correction: miscount.',
      { action: 'unit_day.amend', reason_code: 'miscount', reason: 'Two beds twice' },
    ],
    [
      'Opening of MED 3A, Tue 17 Nov, restated 25 → 24 in batch 31, by Ana Reyes: late slip.',
      {
        action: 'unit_day.restate',
        before: { opening: 25 },
        after: { opening: 24, restatement_no: 31 },
        reason_code: 'late_slip',
      },
    ],
    ['Ana Reyes restated MED 3A, Tue 17 Nov.', { action: 'unit_day.restate' }],
    ['Ana Reyes locked MED 3A, Tue 17 Nov.', { action: 'unit_day.lock' }],
    [
      'Ana Reyes estimated MED 3A, Tue 17 Nov at 21: phoned the ward.',
      { action: 'unit_day.estimate', after: { estimate: 21 }, reason: 'phoned the ward' },
    ],
    [
      'Ana Reyes estimated MED 3A, Tue 17 Nov at 22 instead of 21: phoned again.',
      {
        action: 'unit_day.estimate',
        before: { estimate: 21 },
        after: { estimate: 22 },
        reason: 'phoned again',
      },
    ],
    [
      'Ana Reyes took back the estimate of 21 for MED 3A, Tue 17 Nov.',
      { action: 'unit_day.estimate_withdraw', before: { estimate: 21 }, after: { estimate: null } },
    ],
    [
      'Ana Reyes replaced the estimate of 21 for MED 3A, Tue 17 Nov with the report of 23.',
      {
        action: 'unit_day.estimate_replace',
        before: { estimate: 21 },
        after: { estimate: null, present: 23 },
      },
    ],
    [
      'Ana Reyes accepted the transfer gap of Tue 17 Nov: Moved at 23:58.',
      { action: 'transfer.override', unit_code: null, reason: 'Moved at 23:58' },
    ],
    [
      'Ana Reyes counted MED 3A: 22 occupied, 1 blocked.',
      { action: 'snapshot.take', after: { occupied: 22, blocked: 1 } },
    ],
    [
      'Ana Reyes signed Tue 17 Nov: 8 of 8 units, transfer gap 0.',
      {
        action: 'facility_day.sign',
        unit_code: null,
        after: { units_submitted: 8, units_expected: 8, transfer_gap: 0, status: 'approved' },
      },
    ],
    [
      'Ana Reyes signed and locked Tue 17 Nov.',
      { action: 'facility_day.sign', unit_code: null, after: { status: 'locked' } },
    ],
    ['Ana Reyes locked Tue 17 Nov.', { action: 'facility_day.lock', unit_code: null }],
    [
      'Ana Reyes reopened Tue 17 Nov: wrong unit.',
      { action: 'facility_day.reopen', unit_code: null, reason_code: 'wrong_unit' },
    ],
    ['Ana Reyes reminded MED 3A about Tue 17 Nov.', { action: 'reminder.send' }],
    [
      'Ana Reyes acknowledged the alert on MED 3A, Tue 17 Nov: 24 of 24 beds.',
      { action: 'alert.acknowledge', after: { rule: 'over_high', message: '24 of 24 beds.' } },
    ],
    [
      'Ana Reyes changed the settings: grace minutes 60 → 90.',
      { ...nowhere, action: 'settings.change', before: { grace_minutes: 60 }, after: { grace_minutes: 90 } },
    ],
    ['Ana Reyes changed the settings of MED 3A.', { action: 'settings.change' }],
    [
      'Ana Reyes deleted the unit MED 3A.',
      {
        ...{ action: 'settings.change', census_date: null, population: null },
        ...{ before: { unit_code: 'MED 3A', unit_name: 'Medicine' }, after: { unit_code: null, unit_name: null } },
      },
    ],
    [
      'Ana Reyes entered nursing hours of MED 3A, October 2026: RN hours 3120.25, other hours 940.00.',
      {
        census_date: null,
        population: null,
        action: 'nursing_hours.save',
        after: { month: '2026-10', rn_hours: '3120.25', other_hours: '940.00' },
      },
    ],
    [
      'Ana Reyes changed nursing hours of MED 3A, October 2026: RN hours 3120.25 → –, note – → agency nights.',
      {
        census_date: null,
        population: null,
        action: 'nursing_hours.save',
        before: { month: '2026-10', rn_hours: '3120.25', note: null },
        after: { month: '2026-10', rn_hours: null, note: 'agency nights' },
      },
    ],
    ['Ana Reyes viewed the log.', { ...nowhere, action: 'log.view' }],
    [
      'Ana Reyes viewed the log: Tue 17 Nov to Fri 20 Nov, one unit, one person, only “Saved”, after approval only, with a reason, “slip”.',
      {
        ...nowhere,
        action: 'log.view',
        after: {
          from: '2026-11-17',
          to: '2026-11-20',
          unit: 'u',
          actor: 'a',
          action: 'unit_day.save',
          after_approval: true,
          with_reason: true,
          q: 'slip',
        },
      },
    ],
    [
      'Ana Reyes verified the chain: 48,212 entries, no break found.',
      { ...nowhere, action: 'log.verify', after: { entries: 48_212, broken_at: null } },
    ],
    [
      'Ana Reyes verified the chain: 1 entry, a break at 1.',
      { ...nowhere, action: 'log.verify', after: { entries: 1, broken_at: 1 } },
    ],
    [
      'Ana Reyes removed the text of 1,204 entries up to Fri 20 Nov, after 6 years.',
      { ...nowhere, action: 'log.redact', after: { entries: 1204, to: '2026-11-20', years: 6, up_to_seq: 4211 } },
    ],
    [
      'Ana Reyes removed the text of 1 entry up to Fri 20 Nov, after 1 year.',
      { ...nowhere, action: 'log.redact', after: { entries: 1, to: '2026-11-20', years: 1, up_to_seq: 1 } },
    ],
    ['Ana Reyes exported the log as JSON lines.', { ...nowhere, action: 'log.export', after: { format: 'jsonl' } }],
    [
      'Ana Reyes exported unit reports of Tue 17 Nov to Fri 20 Nov as XLSX, 248 unit-days.',
      {
        ...nowhere,
        action: 'data.export',
        after: { kind: 'unit-days', from: '2026-11-17', to: '2026-11-20', format: 'xlsx', unit_days: 248 },
      },
    ],
    [
      'Ana Reyes imported reports: 3 new, 1 changed.',
      { ...nowhere, action: 'data.import', after: { file_hash: 'ab', new: 3, changed: 1, unchanged: 0, refused: 0 } },
    ],
    [
      'Ana Reyes checked the stored sums, 2 differences.',
      { ...nowhere, action: 'data.check', after: { differences: 2 } },
    ],
    [
      'Ana Reyes heard from the patient system about MED 3A, Tue 17 Nov: A02.',
      { action: 'feed.receive', after: { event: 'A02' } },
    ],
    [
      'Wardline proposed a correction of MED 3A, Tue 17 Nov: discharges 4 → 5, as the patient system says.',
      { actor_name: 'Wardline', action: 'proposal.raise', before: { discharges: 4 }, after: { discharges: 5 } },
    ],
    [
      'Wardline closed the proposed correction of MED 3A, Tue 17 Nov: the patient system agrees with the report again.',
      { actor_name: 'Wardline', action: 'proposal.agree' },
    ],
    [
      'Ana Reyes took the proposed correction of MED 3A, Tue 17 Nov: discharges 4 → 5.',
      { action: 'proposal.take', before: { discharges: 4 }, after: { discharges: 5 } },
    ],
    [
      'Ana Reyes dismissed the proposed correction of MED 3A, Tue 17 Nov: Entered in the wrong chart.',
      { action: 'proposal.dismiss', reason: 'Entered in the wrong chart.' },
    ],
    [
      'Wardline heard of a discharge on MED 3A, Tue 17 Nov of somebody who was never admitted.',
      { actor_name: 'Wardline', action: 'stay.ask', after: { event: 'discharge' } },
    ],
    [
      'Wardline heard of the admission that was missing on Tue 17 Nov.',
      { actor_name: 'Wardline', action: 'stay.settle', unit_code: null },
    ],
    [
      'Ana Reyes counted the transfer of an unknown patient on MED 3A, Tue 17 Nov.',
      { action: 'stay.accept', after: { event: 'transfer' } },
    ],
    [
      'Ana Reyes left an unknown patient out on MED 3A, Tue 17 Nov: Wrong chart.',
      { action: 'stay.dismiss', after: { event: 'death' }, reason: 'Wrong chart.' },
    ],
    ['Ana Reyes imported who is in: 3 new.', { ...nowhere, action: 'data.import', after: { kind: 'stays', new: 3 } }],
    [
      'Ana Reyes changed the settings: patient system counts from – → 2026-11-17.',
      {
        ...nowhere,
        ...{ action: 'settings.change', before: { feed_live_from: null }, after: { feed_live_from: '2026-11-17' } },
      },
    ],
    ['Ana Reyes printed Tue 17 Nov.', { action: 'print', unit_code: null }],
  ])('CEN-7 is one plain sentence: %s', (sentence, more) => {
    expect(said(more)).toBe(sentence);
  });

  it.each(CENSUS_ACTIONS)('CEN-7 %s has a sentence, whatever its entry leaves out, done or refused', (action) => {
    for (const outcome of ['done', 'refused'] as const) {
      for (const place of [{}, nowhere]) {
        const sentence = said({ action, outcome, ...place });
        expect(sentence).toMatch(/^\p{Lu}.*[^.,: ]\.$/u);
        expect(sentence).toContain('Ana Reyes');
        expect(sentence).not.toMatch(/undefined|null|NaN|\[object| {2}/);
      }
    }
  });
});

describe('an entry whose text was removed', () => {
  it.each([
    ['Entry 4,211 was removed after 6 years.', 6],
    ['Entry 4,211 was removed after 1 year.', 1],
  ])('CEN-7 says its number and its age, and nothing of what it said: %s', (sentence, years) => {
    expect(said({ actor_name: '', redacted_after_years: years, action: 'unit_day.amend' })).toBe(sentence);
  });
});

describe('the reason of a reopening', () => {
  it.each(REASON_CODES.filter((code) => code !== 'other'))('CEN-7 CEN-R19 %s is said in words', (code) => {
    const sentence = said({ action: 'facility_day.reopen', unit_code: null, reason_code: code, reason: 'Own words' });
    expect(sentence).toBe(`Ana Reyes reopened Tue 17 Nov: ${formatReasonCode(code)}.`);
    expect(sentence).not.toContain('_');
  });

  it('CEN-7 CEN-R19 a code of another time is said in words too, and ‘other’ by the person’s own', () => {
    const reopened = { action: 'facility_day.reopen', unit_code: null } as const;
    expect(said({ ...reopened, reason_code: 'late_report' })).toBe('Ana Reyes reopened Tue 17 Nov: late report.');
    expect(said({ ...reopened, reason_code: 'other', reason: 'A second look.' })).toBe(
      'Ana Reyes reopened Tue 17 Nov: A second look.',
    );
  });
});

describe('a refusal', () => {
  it.each<[string, Partial<LogSentenceInput>]>([
    [
      'A save by Ana Reyes was refused on MED 3A, Tue 17 Nov: stale version, 3 was given, the report is at 4.',
      { before: { version: 4 }, after: { refused: 'VERSION_CONFLICT', version: 3 } },
    ],
    ['A save by Ana Reyes was refused on MED 3A, Tue 17 Nov: the day is locked.', { after: { refused: 'LOCKED' } }],
    [
      'Approving by Ana Reyes was refused on MED 3A, Tue 17 Nov: one’s own report.',
      { action: 'unit_day.approve', after: { refused: 'SELF_APPROVAL' } },
    ],
    [
      'A view of the log by Ana Reyes was refused: no permission.',
      { ...nowhere, action: 'log.view', after: { refused: 'forbidden' } },
    ],
    [
      'A message of the patient system was refused: no PV1.',
      { ...nowhere, action: 'feed.receive', after: { code: 'AE' }, reason: 'no PV1.' },
    ],
    [
      'A message by Ana Reyes was refused: no permission.',
      { ...nowhere, action: 'feed.receive', after: { refused: 'forbidden' } },
    ],
  ])('CEN-7 says why: %s', (sentence, more) => {
    expect(said({ outcome: 'refused', ...more })).toBe(sentence);
  });
});

describe('what an entry changed', () => {
  it('CEN-7 is in the order of the report, what is computed last, and without what stayed the same', () => {
    const before = { version: 4, closing: 25, discharges: 4, note: null, deaths: 1 };
    const after = { version: 5, closing: 24, discharges: 5, note: '', deaths: 1, beds_staffed: 28 };
    expect(changesOf({ before, after })).toEqual([
      { key: 'discharges', label: 'Discharges', before: '4', after: '5', isComputed: false },
      { key: 'beds_staffed', label: 'Staffed beds', before: '–', after: '28', isComputed: false },
      { key: 'closing', label: 'Closing, computed', before: '25', after: '24', isComputed: true },
      { key: 'version', label: 'Version', before: '4', after: '5', isComputed: true },
    ]);
  });

  it('CEN-7 a population is called what the pages call it, and only where it is one', () => {
    expect(
      changesOf({
        before: { population: 'adult_and_child', note: 'newborn' },
        after: { population: 'newborn', note: null },
      }),
    ).toMatchObject([
      { key: 'note', before: 'newborn', after: '–' },
      { key: 'population', before: 'adults and children', after: 'newborns' },
    ]);
  });

  it('CEN-7 tells 0 from nothing, and words lists and parts', () => {
    const after = {
      deaths: 0,
      is_on_time: true,
      populations: ['adult_and_child', 'newborn'],
      people: [],
      beds: { population: 'newborn', staffed: 28 },
    };
    expect(changesOf({ before: null, after }).map(({ label, before, after: is }) => [label, before, is])).toEqual([
      ['Deaths', '–', '0'],
      ['On time', '–', 'yes'],
      ['Populations', '–', 'adults and children, newborns'],
      ['People', '–', 'none'],
      ['Beds', '–', 'population newborns staffed 28'],
    ]);
  });

  it('CEN-7 tells people by their names', () => {
    const person = (name: string) => ({ id: '01970000-0000-7000-8000-0000000000a1', name });
    expect(
      changesOf({
        before: { people: [person('Ana Reyes')] },
        after: { people: [person('Kofi Owusu'), person('Ruth')] },
      }),
    ).toMatchObject([{ label: 'People', before: 'Ana Reyes', after: 'Kofi Owusu, Ruth' }]);
  });
});
