import { newId } from '#/platform/new-id.ts';
import type { PersonKey } from '../people.ts';
import type { Stage } from './stage.ts';

interface Event {
  readonly minutesAgo: number;
  run(stage: Stage, id: (key: PersonKey) => string): Promise<void>;
}

const WELL = { spo2_scale: '1', consciousness: 'A' };

/** What was examined in the chats of the scripts, by their titles; the oldest first, each before the last line of its chat but where it says that it follows it. */
export const examinationStories: Readonly<Record<string, readonly Event[]>> = {
  'Edith Maron': edithMaron(),
  'Greta Hollis': gretaHollis(),
  'Tobias Lenz: step down from ICU': [
    {
      minutesAgo: 150,
      async run(stage, id) {
        await stage.report(
          { asks: id('mira'), signs: id('mira') },
          {
            form: 'ecg',
            sex: 'male',
            asked: { question: 'Before the ward, after noradrenaline' },
            found: {
              ...{ rate: '84', rhythm: 'sinus', pr: '168', qrs: '92', qt: '370', qtc: '437', axis: '30', st: 'none' },
              impression: 'Sinus rhythm, no sign of ischaemia.',
            },
          },
        );
        const count = await stage.draft(id('ana'), {
          ...{ form: 'bloodCount', sex: 'male', found: {} },
          asked: { question: 'Haemoglobin on the day of the transfer' },
        });
        await stage.move(id('ana'), count, 'requested');
      },
    },
  ],
};

/** Potassium over two days, one result that was typed wrongly, and the critical one, which is read back. */
function edithMaron(): readonly Event[] {
  const renal = (values: Readonly<Record<string, string>>) =>
    ({ form: 'renal', sex: 'female', found: values }) as const;
  let second: Awaited<ReturnType<Stage['report']>> | undefined;
  return [
    {
      minutesAgo: 232,
      async run(stage, id) {
        await stage.report(
          { asks: id('mira'), signs: id('ben') },
          renal({ potassium: '5.4', sodium: '134', urea: '16.9', creatinine: '191', bicarbonate: '20' }),
        );
      },
    },
    {
      minutesAgo: 170,
      async run(stage, id) {
        second = await stage.report(
          { asks: id('mira'), signs: id('ben') },
          renal({ potassium: '5.9', sodium: '133', urea: '17.6', creatinine: '98', bicarbonate: '19' }),
        );
      },
    },
    {
      minutesAgo: 160,
      async run(stage, id) {
        if (!second) throw new Error('it is told in order');
        await stage.amend(id('ben'), second, { creatinine: '198' }, 'A digit was missing in the creatinine');
      },
    },
    {
      // After the last line of the chat, which waits for it.
      minutesAgo: 1,
      async run(stage, id) {
        const targets = { people: [id('mira')], role_id: null };
        const third = await stage.report(
          { asks: id('mira'), signs: id('ben') },
          {
            ...renal({
              ...{ potassium: '6.8', sodium: '131', urea: '18.4', creatinine: '214', bicarbonate: '17' },
              impression: 'Not haemolysed, 6.7 on the second analyser.',
            }),
            critical: { kind: 'alert', category: 'minutes', targets },
          },
        );
        const findings = [{ field: 'potassium', value: '6.8', unit: 'mmol/L' }];
        const patient = { name: 'Edith Maron', identifier: 'MRN 40-118-236', born_on: '1948-03-14' };
        await stage.answerAlert(id('mira'), third, { findings, patient }, 'Calcium is given, insulin is running.');
        await stage.cite(id('mira'), 'Please repeat it two hours after the calcium.', third, 'potassium');
      },
    },
  ];
}

/** A pneumonia by its film and its observations, and the next round of them begun. */
function gretaHollis(): readonly Event[] {
  let given: Awaited<ReturnType<Stage['handOver']>> | undefined;
  const round = (minutesAgo: number, by: PersonKey, values: Readonly<Record<string, string>>): Event => ({
    minutesAgo,
    async run(stage, id) {
      const found = { ...WELL, ...values };
      await stage.report({ asks: id(by), signs: id(by) }, { form: 'vitalSigns', sex: 'female', found });
    },
  });
  return [
    {
      minutesAgo: 1210,
      async run(stage, id) {
        await stage.report(
          { asks: id('yusuf'), signs: id('hana') },
          {
            form: 'imaging',
            sex: 'female',
            asked: { question: 'Pneumonia?', modality: 'DX', region: 'Chest' },
            found: {
              ...{ contrast: 'no', main_finding: 'Consolidation of the right lower lobe' },
              findings: 'Lucency behind the heart: a hiatus hernia, known.',
              impression: 'Right lower lobe pneumonia, no effusion.',
            },
          },
        );
      },
    },
    round(1000, 'leila', {
      ...{ respiration: '22', spo2: '94', oxygen: 'oxygen', oxygen_flow: '2.0' },
      ...{ systolic: '118', diastolic: '64', pulse: '104', temperature: '38.9' },
    }),
    round(760, 'leila', {
      ...{ respiration: '19', spo2: '95', oxygen: 'oxygen', oxygen_flow: '1.0' },
      ...{ systolic: '122', diastolic: '68', pulse: '92', temperature: '38.1' },
    }),
    {
      minutesAgo: 745,
      async run(stage, id) {
        given = await stage.handOver(id('mira'), id('yusuf'), {
          ...{ format: 'ipass', severity: 'watcher' },
          lines: [
            {
              section: 'summary',
              text: 'Right lower lobe pneumonia, CURB-65 of 2, on ceftriaxone and clarithromycin.',
            },
            {
              section: 'awareness',
              text: 'If she needs more than 4 L of oxygen: blood gas, and call the ICU outreach.',
            },
          ],
          actions: [
            { id: newId(), text: 'Observations every four hours', owner: 'Leila Haddad', due_at: null },
            { id: newId(), text: 'Look at the blood cultures', owner: 'Day team', due_at: null },
          ],
        });
      },
    },
    {
      minutesAgo: 741,
      async run(stage, id) {
        if (!given) throw new Error('it is told in order');
        const text = 'Pneumonia that gets better, still on oxygen. I watch the oxygen and chase the cultures.';
        await stage.receive(id('yusuf'), given, text);
      },
    },
    {
      minutesAgo: 540,
      async run(stage, id) {
        const found = { ...WELL, respiration: '17', spo2: '96', oxygen: 'air', pulse: '84' };
        await stage.draft(id('ana'), { form: 'vitalSigns', sex: 'female', found });
      },
    },
  ];
}
