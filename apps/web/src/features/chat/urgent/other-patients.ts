import type { Chat } from '@wardline/contract/chat/chat.ts';

/** A number in a text that is not of the chat's patient; whose it is, where one of my chats is about them. */
export interface OtherPatient {
  readonly number: string;
  readonly name: string | null;
}

/** So short a number stands in any text. */
const SHORTEST = 4;
const LABELLED = /\b(?:MRN|PID|case(?: no\.?| number)?|Fallnummer|Fall-Nr\.?)[\s:#]*([A-Z0-9][A-Z0-9./-]{3,23})/giu;

/**
 * The identifiers of other patients in what is about to be sent into a case chat: of the patients of my own chats, which are all
 * that I may read of, and numbers that are called one and are not this patient's.
 */
export function findOtherPatients(body: string, chat: Chat, chats: readonly Chat[]): OtherPatient[] {
  if (!chat.patient) return [];
  const own = plain(chat.patient.identifier);
  const text = ` ${plain(body)} `;
  const known = chats.flatMap(({ patient, facility_id }) => {
    if (!patient || facility_id !== chat.facility_id) return [];
    const number = plain(patient.identifier);
    const isOther = number !== own && number.length >= SHORTEST && /\d/.test(number);
    return isOther && hasNumber(text, number) ? [{ number: patient.identifier, name: patient.name }] : [];
  });
  const labelled = [...body.matchAll(LABELLED)].flatMap(([, number = '']) => {
    const isKnown = plain(number) === own || known.some((one) => plain(one.number) === plain(number));
    return /\d/.test(number) && !isKnown ? [{ number, name: null }] : [];
  });
  return [...new Map([...known, ...labelled].map((one) => [plain(one.number), one])).values()];
}

/** Letters and digits alone: a number is typed with or without its dashes. The gaps between words stay. */
function plain(text: string): string {
  return text
    .replace(/^MRN\b/iu, '')
    .replaceAll(/[./-]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toUpperCase();
}

function hasNumber(text: string, number: string): boolean {
  return text.includes(` ${number} `) || text.includes(` MRN${number} `);
}
