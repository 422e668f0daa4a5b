import { addDays } from '@wardline/census/calendar.ts';
import { createRandom } from '../../../../../seeds/random.ts';

/** A hospital that lives for some days by a seed, what is true of it, and the messages that its patient system sends. */
export interface SimulatedHospital {
  readonly messages: readonly string[];
  /** unit code → date → what is true. */
  readonly truth: ReadonlyMap<string, ReadonlyMap<string, TrueDay>>;
}

export interface TrueDay {
  closing: number;
  on_leave: number;
  admissions: number;
  discharges: number;
  deaths: number;
  transfers_in: number;
  transfers_out: number;
  ad_same_day: number;
  discharge_days: number;
}

interface Options {
  readonly seed: number;
  readonly units: readonly string[];
  readonly from: string;
  readonly days: number;
  readonly admissionsPerDay: number;
}

interface Place {
  readonly unit: string;
  readonly from: number;
  to: number;
}

interface Patient {
  readonly number: string;
  readonly places: Place[];
  readonly leaves: { from: number; to: number }[];
  readonly admittedAt: number;
  readonly endsAt: number;
  readonly died: boolean;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A census at midnight UTC; everybody's story is made first, the messages and the truth are both told from it. */
export function simulateHospital({ seed, units, from, days, admissionsPerDay }: Options): SimulatedHospital {
  const random = createRandom(seed).next;
  const start = Date.parse(`${from}T00:00:00Z`);
  const end = start + days * DAY;
  const patients = Array.from({ length: days * admissionsPerDay }, (_, index) =>
    makePatient(`V${String(index).padStart(6, '0')}`, { random, units, start, end }),
  );
  const sender = new Sender(random);
  for (const patient of patients) sender.tell(patient, { units, end });
  return { messages: sender.messages, truth: truthOf(patients, { units, from, days }) };
}

interface World {
  readonly random: () => number;
  readonly units: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Whole seconds, and never on the stroke of midnight, where a text would have to say to which day it belongs. */
function instantIn(random: () => number, from: number, length: number): number {
  const instant = from + Math.floor((random() * length) / 1000) * 1000;
  return instant % DAY === 0 ? instant + 1000 : instant;
}

function makePatient(number: string, { random, units, start, end }: World): Patient {
  const admittedAt = instantIn(random, start, end - start);
  const stay = random() < 0.15 ? 8 * HOUR : (0.5 + random() * 6) * DAY;
  const endsAt = instantIn(random, admittedAt + HOUR, stay);
  const moves = Math.floor(random() * 3);
  const times = Array.from({ length: moves }, (_, index) =>
    instantIn(random, admittedAt + ((endsAt - admittedAt) * (index + 1)) / (moves + 1), 5 * MINUTE),
  );
  const places: Place[] = [];
  for (const from of [admittedAt, ...times]) {
    const unit = pickOther(random, units, places.at(-1)?.unit);
    const last = places.at(-1);
    if (last) last.to = from;
    places.push({ unit, from, to: endsAt });
  }
  const room = places[0];
  const leaves =
    room && room.to - room.from > 2 * DAY && random() < 0.2
      ? [{ from: room.from + 6 * HOUR, to: room.from + 30 * HOUR }]
      : [];
  return { number, places, leaves, admittedAt, endsAt, died: random() < 0.05 };
}

function pickOther(random: () => number, units: readonly string[], not: string | undefined): string {
  const others = units.filter((unit) => unit !== not);
  return others[Math.floor(random() * others.length)] ?? '';
}

class Sender {
  readonly messages: string[] = [];
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Everything that happened to a patient by the end, with the errors that were made and taken back. */
  tell(patient: Patient, { units, end }: Pick<World, 'units' | 'end'>): void {
    const { places, leaves, number } = patient;
    const [first] = places;
    if (!first) return;
    // Some were admitted under a number of their own that is merged later.
    const admittedAs = this.#random() < 0.05 ? `T${number}` : number;
    this.#send('A01', { number: admittedAs, unit: first.unit, at: first.from });
    if (admittedAs !== number)
      this.#send('A40', { number, unit: first.unit, at: first.from + MINUTE, merged: admittedAs });
    for (const [index, place] of places.slice(1).entries()) {
      if (place.from < end) this.#send('A02', { number, unit: place.unit, prior: places[index]?.unit, at: place.from });
      if (this.#random() < 0.2 && place.from + 40 * MINUTE < place.to)
        this.#send('A02', { number, unit: place.unit, at: place.from + 30 * MINUTE });
    }
    for (const leave of leaves) {
      if (leave.from < end) this.#send('A21', { number, unit: first.unit, at: leave.from });
      if (leave.to < end) this.#send('A22', { number, unit: first.unit, at: leave.to });
    }
    this.#makeErrors(patient, units);
    const last = places.at(-1);
    if (last && patient.endsAt < end) {
      this.#send('A03', { number, unit: last.unit, at: patient.endsAt, disposition: patient.died ? '20' : '01' });
    }
  }

  /** Wrong moves, discharges and admissions, each taken back some minutes later. */
  #makeErrors({ number, places, admittedAt }: Patient, units: readonly string[]): void {
    const [first] = places;
    if (!first || first.to - first.from < HOUR) return;
    const at = admittedAt + 10 * MINUTE;
    const kind = this.#random();
    if (kind < 0.06) {
      this.#send('A02', { number, unit: pickOther(this.#random, units, first.unit), prior: first.unit, at });
      this.#send('A12', { number, unit: first.unit, at: at + 5 * MINUTE });
    } else if (kind < 0.12) {
      this.#send('A03', { number, unit: first.unit, at, disposition: '01' });
      this.#send('A13', { number, unit: first.unit, at: at + 5 * MINUTE });
    } else if (kind < 0.16) {
      this.#send('A21', { number, unit: first.unit, at });
      this.#send('A52', { number, unit: first.unit, at: at + 5 * MINUTE });
    } else if (kind < 0.22) {
      this.#send('A01', { number: `G${number}`, unit: first.unit, at });
      this.#send('A11', { number: `G${number}`, unit: first.unit, at });
    } else if (kind < 0.26) {
      this.#send('A01', { number: `O${number}`, unit: first.unit, at });
      this.#send('A07', { number: `O${number}`, unit: first.unit, at: at + 5 * MINUTE });
    } else if (kind < 0.32) this.#send('A08', { number, unit: first.unit, at });
  }

  #send(
    trigger: string,
    event: {
      number: string;
      unit: string;
      at: number;
      prior?: string | undefined;
      merged?: string;
      disposition?: string;
    },
  ): void {
    const id = `M${String(this.messages.length).padStart(7, '0')}`;
    const time = hl7Time(event.at);
    const visit = ['PV1', '1', 'I', `${event.unit}^201^1^H1`, '', '', event.prior ? `${event.prior}^104^2^H1` : ''];
    visit[19] = event.number;
    visit[36] = event.disposition ?? '';
    const segments = [
      `MSH|^~\\&|ADT|H1|CENSUS|H1|${time}||ADT^${trigger}|${id}|P|2.5.1`,
      `EVN|${trigger}|${time}||||${time}`,
      `PID|1||P${event.number}^^^H1^MR`,
      ...(event.merged ? [`MRG|P${event.merged}||||${event.merged}`] : []),
      Array.from({ length: 37 }, (_, index) => visit[index] ?? '').join('|'),
    ];
    this.messages.push(segments.join('\r'));
  }
}

function hl7Time(at: number): string {
  return `${new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}+0000`;
}

function truthOf(patients: readonly Patient[], { units, from, days }: Pick<Options, 'units' | 'from' | 'days'>) {
  const start = Date.parse(`${from}T00:00:00Z`);
  const dates = Array.from({ length: days }, (_, day) => addDays(from, day));
  const truth = new Map(units.map((unit) => [unit, new Map(dates.map((date) => [date, nothing()]))]));
  const dayOf = (unit: string, at: number) => truth.get(unit)?.get(addDays(from, Math.floor((at - start) / DAY)));
  for (const patient of patients) {
    tellMoves(patient, dayOf);
    for (const place of patient.places) {
      for (const [day, date] of dates.entries()) {
        tellPresence(truth.get(place.unit)?.get(date), { patient, place, instant: start + (day + 1) * DAY });
      }
    }
  }
  return truth;
}

function tellMoves(
  { places, admittedAt, endsAt, died }: Patient,
  dayOf: (unit: string, at: number) => TrueDay | undefined,
): void {
  for (const [index, { unit, from, to }] of places.entries()) {
    const came = dayOf(unit, from);
    const left = dayOf(unit, to);
    const isLast = index === places.length - 1;
    if (came) came[index === 0 ? 'admissions' : 'transfers_in'] += 1;
    if (!left) continue;
    if (!isLast) left.transfers_out += 1;
    else left[died ? 'deaths' : 'discharges'] += 1;
    const stayed = Math.floor(endsAt / DAY) - Math.floor(admittedAt / DAY);
    if (isLast && stayed === 0) left.ad_same_day += 1;
    if (isLast) left.discharge_days += Math.max(1, stayed);
  }
}

function tellPresence(
  day: TrueDay | undefined,
  { patient, place, instant }: { patient: Patient; place: Place; instant: number },
): void {
  if (!day || place.from > instant || place.to <= instant) return;
  day.closing += 1;
  if (patient.leaves.some(({ from, to }) => from <= instant && to > instant)) day.on_leave += 1;
}

function nothing(): TrueDay {
  return {
    closing: 0,
    on_leave: 0,
    admissions: 0,
    discharges: 0,
    deaths: 0,
    transfers_in: 0,
    transfers_out: 0,
    ad_same_day: 0,
    discharge_days: 0,
  };
}
