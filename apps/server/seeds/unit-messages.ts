import type { PersonKey } from './people.ts';
import type { Random } from './random.ts';

export interface Utterance {
  readonly by: PersonKey;
  readonly body: string;
}

type Sentences = Readonly<Record<string, readonly string[]>>;

const LABELS: Sentences = {
  ward: ['MED 3A', 'SUR 2B', 'ICU', 'MAT', 'PED', 'ONC', 'ED', 'the day unit', 'the discharge lounge'],
  bed: ['2', '3', '4', '6', '7', '9', '10', '11', '12', '14', '15', '16', '17', '18', '21', '22'],
  minutes: ['five', 'ten', 'fifteen', 'twenty', 'thirty', 'forty'],
  count: ['one', 'two', 'three', 'four', 'five'],
  thing: [
    'infusion pump',
    'syringe driver',
    'bladder scanner',
    'pressure mattress',
    'hoist sling',
    'drip stand',
    'commode',
    'bariatric chair',
    'oxygen cylinder',
    'suction unit',
    'wheelchair',
    'doppler',
    'ECG machine',
    'patient slide',
  ],
  place: [
    'clean utility',
    'linen room',
    'sluice',
    'store on level 2',
    'corridor by lift A',
    'treatment room',
    'equipment pool',
  ],
  test: [
    'blood gas',
    'renal profile',
    'full blood count',
    'group and save',
    'troponin',
    'CRP',
    'clotting',
    'lactate',
    'urine culture',
  ],
  scan: ['CT head', 'chest X-ray', 'ultrasound of the abdomen', 'leg doppler', 'hip film', 'CT with contrast', 'echo'],
  staff: ['bank nurse', 'student', 'phlebotomist', 'porter', 'healthcare assistant', 'ward clerk', 'physiotherapist'],
  reason: [
    'the letter',
    'transport',
    'tablets from pharmacy',
    'a word with the family',
    'the oxygen for home',
    'the last blood result',
    'the community nurse',
    'a key-safe number',
    'the equipment at home',
    'the second opinion',
  ],
  thanks: [
    'Thank you.',
    'Thanks, noted.',
    'Perfect.',
    'That helps.',
    'Very good.',
    'Good to know.',
    'You are kind.',
    'Understood.',
  ],
  phone: ['4101', '4117', '4206', '4230', '4302', '4315', '4408', '4460'],
  when: [
    'before lunch',
    'after the round',
    'by two',
    'this evening',
    'before handover',
    'within the hour',
    'tomorrow first thing',
  ],
};

interface Topic {
  readonly asks: readonly string[];
  readonly answers: readonly string[];
  readonly closes: readonly string[];
}

const TOPICS: readonly Topic[] = [
  {
    asks: [
      '{ward} has {count} beds free {when}. Who needs one?',
      'I am looking for a bed for somebody from {ward}, walks, no isolation.',
      'Bed {bed} on {ward} is clean. May I send the next one?',
      '{count} boarders in ED, the longest for {minutes} minutes over the limit.',
    ],
    answers: [
      '{ward} can take one {when}.',
      'Not before {minutes} minutes, the room is still being cleaned.',
      'Bed {bed} is yours, call before you send.',
      'We are full, but {count} should go home {when}.',
      'Side room only, and I would like to keep that for the night.',
    ],
    closes: [
      '{thanks} Sending in {minutes} minutes.',
      'Arrived and settled in bed {bed}.',
      'Then we do it that way. {thanks}',
    ],
  },
  {
    asks: [
      'Has anybody seen a {thing}? Ours went to {ward} and did not come back.',
      'The {thing} on {ward} alarms without a reason, tagged red.',
      'I have a spare {thing}, it stands in the {place}.',
      'We need a {thing} {when}.',
    ],
    answers: [
      'There is one in the {place}, label green.',
      'Take ours, bed {bed} does not need it any more.',
      'The workshop has it until {when}.',
      'I looked in the {place}: {count} of them, all charged.',
      'Please sign the sheet when you take it, we searched for it yesterday.',
    ],
    closes: ['Found it. {thanks}', 'It is back in the {place}.', '{thanks} I bring it back myself.'],
  },
  {
    asks: [
      'Bed {bed} waits for {reason}. Can somebody hurry it up?',
      '{count} discharges from {ward} {when}, one of them still waits for {reason}.',
      'Who follows up {reason} for bed {bed}?',
      'Transport asks whether bed {bed} walks or needs a chair.',
    ],
    answers: [
      'I call them now.',
      'It is on its way, {minutes} minutes they say.',
      'Done already, see the record.',
      'Needs a chair and one escort.',
      'The family comes {when}, then everything is here.',
      'Walks with a frame, two steps at the door.',
    ],
    closes: [
      'Gone. Bed {bed} is with domestic services.',
      '{thanks} That is one bed more.',
      'Left at last, in good spirits.',
    ],
  },
  {
    asks: [
      '{test} of bed {bed} was due {when}, nobody has drawn it yet.',
      'Laboratory: the {test} from {ward} has no label, please send again.',
      'The {test} for bed {bed} is back, nothing alarming, in the record.',
      'Is the {test} from {ward} urgent or routine? The form says both.',
    ],
    answers: [
      'Drawn {minutes} minutes ago, sent with the tube.',
      'I do it {when}.',
      'Sorry, label is on the table here. New sample comes.',
      'Urgent, please.',
      'Routine, it can go with the next round.',
    ],
    closes: ['Result is in. {thanks}', 'Received. {thanks}', 'Seen and signed.'],
  },
  {
    asks: [
      '{scan} for bed {bed}: when can you take them?',
      'Radiology: {count} in the queue, {ward} is next.',
      'The {scan} of bed {bed} is reported.',
      'Bed {bed} cannot lie flat for the {scan}. Any idea?',
    ],
    answers: [
      'In {minutes} minutes, with a cannula please.',
      'Not {when}, the machine is being serviced.',
      'Send somebody along, he is afraid of the tube.',
      'Then sitting, with two pillows. We have done that before.',
      'The porter is on his way.',
    ],
    closes: ['Back on the ward, all well.', '{thanks} We tell the doctor.', 'Done, pictures are up.'],
  },
  {
    asks: [
      '{ward} is short of a {staff} {when}. Can anybody lend one?',
      'Our {staff} is called away for {minutes} minutes, please listen for the bell of bed {bed}.',
      'A new {staff} starts on {ward} today, please be kind.',
      'Who has a {staff} who knows {ward}?',
    ],
    answers: [
      'You can have ours until {when}.',
      'Not from us, we are {count} short ourselves.',
      'I come over myself for {minutes} minutes.',
      'Ask {ward}, they are over by one.',
      'Take the {staff} from {ward}, I have spoken to them.',
    ],
    closes: ['{thanks} You get cake.', 'Sorted.', '{thanks} Back at full strength.'],
  },
  {
    asks: [
      'Handover {ward}: {count} to watch, the first is bed {bed}. Rest quiet.',
      'Night report {ward}: no falls, {count} admissions, bed {bed} slept for the first time.',
      'Round on {ward} is done, {count} changes, all written down.',
      'Anything I should know from {ward} before I start?',
    ],
    answers: [
      'Bed {bed}: pain better, appetite not yet.',
      'Please keep an eye on bed {bed}, the {test} comes {when}.',
      'Quiet here. The coffee is fresh.',
      'Family of bed {bed} calls {when}, they know you.',
      'Bed {bed} moves to {ward} {when}.',
    ],
    closes: ['Read by all of us. {thanks}', 'Good shift, everybody.', '{thanks} Sleep well.'],
  },
];

const VOICES: readonly PersonKey[] = [
  'ana',
  'owen',
  'leila',
  'kofi',
  'clara',
  'ines',
  'elena',
  'yusuf',
  'marek',
  'bridget',
  'hana',
  'grace',
  'mira',
  'samuel',
  'priya',
];

const AFTERTHOUGHTS = [
  'Call me on {phone}.',
  'I have told {ward} as well.',
  'The key is at the desk.',
  'It can wait until {when}.',
  'Ask {ward} if I do not answer.',
  'Otherwise {phone}, they know.',
  'I am back in {minutes} minutes.',
  'Please write it on the board too.',
];

/** Ward talk without end: somebody asks, somebody else answers, the first one closes, now and then with a detour. */
export function* seedUnitMessages(random: Random): Generator<Utterance, never> {
  for (;;) {
    const topic = random.pick(TOPICS);
    const asker = random.pick(VOICES);
    yield { by: asker, body: speak(random, random.pick(topic.asks)) };
    for (let answers = 1 + random.below(3); answers > 0; answers--) {
      const other = random.pick(VOICES.filter((voice) => voice !== asker));
      const afterthought = random.next() < 0.3 ? ` ${random.pick(AFTERTHOUGHTS)}` : '';
      yield { by: other, body: speak(random, random.pick(topic.answers) + afterthought) };
    }
    if (random.next() < 0.7) yield { by: asker, body: speak(random, random.pick(topic.closes)) };
  }
}

function speak(random: Random, phrase: string): string {
  const said = phrase.replaceAll(/\{(\w+)\}/g, (_, slot: string) => random.pick(LABELS[slot] ?? []));
  return said.replaceAll(/(^|[.?!] )(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
}

export const WARD_TALKERS = VOICES;
