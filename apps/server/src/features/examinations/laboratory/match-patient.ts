import { foldIdentifier } from '@wardline/format/names.ts';
import type { CaseOfPatient } from '../core/deps.ts';
import type { NamedPatient } from './laboratory-report.ts';

export type Match =
  | { readonly chat: CaseOfPatient; readonly why?: never }
  | { readonly chat: null; readonly why: string };

/** The numbers that count where a facility knows only one authority's (PID-3.4); a number without one counts always. */
export function countedNumbers({ identifiers }: NamedPatient, authority: string | null): string[] {
  const counted = identifiers.filter(
    (one) => authority === null || one.authority === null || one.authority === authority,
  );
  return [...new Set(counted.map(({ value }) => foldIdentifier(value)).filter(Boolean))];
}

/**
 * The one open chat about the patient, or why there is none that is certain. `chats` are those of the facility with one of the numbers.
 * A number alone is not enough: the date of birth must be the same or, where one of the two does not know it, a name.
 */
export function matchPatient(
  patient: NamedPatient,
  chats: readonly CaseOfPatient[],
  numbers: readonly string[],
): Match {
  if (numbers.length === 0) return none('The message has no number of the patient that counts here.');
  if (chats.length === 0) return none('No chat is about a patient with this number.');
  const same = chats.filter((chat) => differenceOf(patient, chat) === null);
  const [first] = chats;
  if (same.length === 0 && first) return none(`The number fits a chat, but ${differenceOf(patient, first)} differs.`);
  if (new Set(same.map(({ identifier }) => foldIdentifier(identifier))).size > 1) {
    return none('Its numbers are of several patients here.');
  }
  const open = same.filter(({ isOpen }) => isOpen);
  const [chat, other] = open;
  if (other) return none(`${open.length} chats about this patient are open.`);
  return chat ? { chat } : none('The chat about this patient is closed.');
}

function none(why: string): Match {
  return { chat: null, why };
}

/** What tells the two apart; null where they are the same person. */
export function differenceOf(patient: NamedPatient, chat: Pick<CaseOfPatient, 'name' | 'bornOn'>): string | null {
  if (patient.bornOn !== null && chat.bornOn !== null) {
    return patient.bornOn === chat.bornOn ? null : 'the date of birth';
  }
  const known = new Set(wordsOf(chat.name));
  return wordsOf(patient.name).filter((word) => known.has(word)).length >= Math.min(2, known.size) ? null : 'the name';
}

function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
