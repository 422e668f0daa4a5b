import { type Hl7Field, Hl7Message, type Hl7Segment } from '@medplum/core';
import { firstInstant, isCalendarDate } from '@wardline/census/calendar.ts';
import { Hl7Error, quoted } from './hl7-error.ts';

/** What the head of a message says, though the rest of it may be broken. */
export interface Hl7Head {
  readonly controlId: string | null;
  /** Application and facility. */
  readonly sender: string | null;
  /** As `ADT^A01`. */
  readonly kind: string | null;
}

/** Reads the head alone, for the answer to a message and for whoever looks why it was refused. */
export function readHead(text: string): Hl7Head {
  try {
    const { header } = Hl7Message.parse(normalised(text));
    const joined = (parts: readonly string[], mark: string) => parts.filter(Boolean).join(mark) || null;
    return {
      controlId: textOf(header?.getField(10)) || null,
      sender: joined([component(header, 3, 1), component(header, 4, 1)], ' · '),
      kind: joined([component(header, 9, 1), component(header, 9, 2)], '^'),
    };
  } catch {
    return { controlId: null, sender: null, kind: null };
  }
}

export function parseMessage(text: string): Hl7Message {
  try {
    return Hl7Message.parse(normalised(text));
  } catch {
    throw new Hl7Error(100, 'this is not an HL7 v2 message');
  }
}

/** Segments end with a carriage return; files and hands often make line feeds of it. */
function normalised(text: string): string {
  return text.replaceAll(/\r\n|\n/g, '\r');
}

export function component(segment: Hl7Segment | undefined, field: number, at: number): string {
  return segment ? plain(segment.getComponent(field, at), segment) : '';
}

export function textOf(field: Hl7Field | undefined): string {
  return field ? plain(field.toString(), field) : '';
}

/** Two quotes say that there is no value: they name nobody and no time. */
const NO_VALUE = '""';
const ESCAPED = /(.)([FSRTE])\1/gsu;

/** A value without its spaces and escapes: `M\T\S` is `M&S`. */
function plain(text: string, { context }: Pick<Hl7Segment, 'context'>): string {
  const meant: Readonly<Record<string, string>> = {
    F: context.fieldSeparator,
    S: context.componentSeparator,
    R: context.repetitionSeparator,
    T: context.subcomponentSeparator,
    E: context.escapeCharacter,
  };
  const said = text.trim();
  if (said === NO_VALUE) return '';
  return said.replaceAll(ESCAPED, (whole: string, mark: string, code: string) =>
    mark === context.escapeCharacter ? (meant[code] ?? whole) : whole,
  );
}

/** Every value of a field, in the order of its repetitions, as a person reads it: see {@link readable}. */
export function valuesOf(segment: Hl7Segment, field: number): string[] {
  const { repetitionSeparator } = segment.context;
  const whole = segment.getField(field)?.toString() ?? '';
  return whole === '' || whole.trim() === NO_VALUE
    ? []
    : whole.split(repetitionSeparator).map((text) => readable(text, segment));
}

/** One component of a repetition, from 0, as a person reads it. */
export function partOf(
  segment: Hl7Segment | undefined,
  [field, at, repetition = 0]: [number, number, number?],
): string {
  if (segment === undefined) return '';
  const said = segment.getComponent(field, at, undefined, repetition);
  return said.trim() === NO_VALUE ? '' : readable(said, segment);
}

const LINE_BREAKS = /^\.(br|sp\d*|ce|fi|nf)$/;

/**
 * A text as a person reads it: escapes are what they mean, breaks are lines, and marks for print (highlighting, indents) say nothing. What
 * stands for bytes of another character set is shown as a gap.
 */
function readable(text: string, { context }: Pick<Hl7Segment, 'context'>): string {
  const { escapeCharacter: mark } = context;
  if (mark === '' || !text.includes(mark)) return text.trim();
  const parts = text.split(mark);
  // Between two marks stands a code; a mark without its other half is itself.
  const said = parts.map((part, index) => {
    if (index % 2 === 0) return part;
    return index === parts.length - 1 ? mark + part : meaningOf(part, context);
  });
  return said.join('').trim();
}

function meaningOf(code: string, context: Hl7Segment['context']): string {
  const one: Readonly<Record<string, string>> = {
    F: context.fieldSeparator,
    S: context.componentSeparator,
    R: context.repetitionSeparator,
    T: context.subcomponentSeparator,
    E: context.escapeCharacter,
  };
  const meant = one[code];
  if (meant !== undefined) return meant;
  if (LINE_BREAKS.test(code)) return '\n';
  if (/^X([0-9A-Fa-f]{2}){1,100}$/.test(code)) return printable(Buffer.from(code.slice(1), 'hex').toString('utf8'));
  return /^[CM]/.test(code) ? '\uFFFD' : '';
}

function printable(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, ' ');
}

export function readControlId(header: Hl7Segment | undefined): string {
  const controlId = textOf(header?.getField(10));
  if (controlId === '') throw new Hl7Error(101, 'MSH-10 is missing', 'MSH^1^10');
  if (controlId.length > 199) throw new Hl7Error(102, 'MSH-10 is longer than 199 characters', 'MSH^1^10');
  return controlId;
}

/** Some senders leave both out. A message for training is about nobody who lies in a bed. */
export function guardHead(header: Hl7Segment | undefined): void {
  const processing = component(header, 11, 1);
  if (processing !== '' && processing !== 'P') {
    throw new Hl7Error(202, `MSH-11 is ${quoted(processing)}; only P, production, is taken`, 'MSH^1^11');
  }
  const version = component(header, 12, 1);
  if (version !== '' && !/^2(\.|$)/.test(version)) {
    throw new Hl7Error(203, `MSH-12 is ${quoted(version)}; version 2 is taken`, 'MSH^1^12');
  }
}

export function offsetIn(time: string): string | undefined {
  return /[+-]\d{4}$/.exec(time)?.[0];
}

const TIME = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:\.\d{1,4})?)?)?)?([+-]\d{4})?$/;
/** Days are counted up to here; a little past it there is no day in some zone any more. */
const LAST_YEAR = 9998;

/** A time without an offset has the one that is given, else the facility's clock. */
export function readTime(
  text: string,
  { timeZone, offset: usual }: { timeZone: string; offset: string | undefined },
): Date {
  const [whole, year, month, day, hour = '00', minute = '00', second = '00', offset = usual] = TIME.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  const isClock = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  const isDay = isCalendarDate(date) && Number(year) <= LAST_YEAR;
  if (whole === undefined || !isDay || !isClock) throw new Hl7Error(102, `${quoted(text)} is not a time`);
  if (offset !== undefined) {
    const at = new Date(`${date}T${hour}:${minute}:${second}${offset.slice(0, 3)}:${offset.slice(3)}`);
    if (Number.isNaN(at.getTime())) throw new Hl7Error(102, `${quoted(text)} is not a time`);
    return at;
  }
  return new Date(firstInstant(date, `${hour}:${minute}`, timeZone).getTime() + Number(second) * 1000);
}
