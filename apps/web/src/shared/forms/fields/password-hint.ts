import { SHORTEST_PASSWORD } from '@wardline/contract/values.ts';

const longest = 128;
/** Shorter ones are in every second word. */
const shortestWord = 4;

interface Entered {
  readonly password: string;
  readonly name?: string;
  readonly email?: string;
  /** Fewer characters than alone, where a second factor stands beside it. */
  readonly shortest?: number;
}

/** What stands under a new password while it is typed; `isEnough` when nothing speaks against it here. */
export function passwordHint({ password, name = '', email = '', shortest = SHORTEST_PASSWORD }: Entered): {
  isEnough: boolean;
  text: string;
} {
  const missing = shortest - password.length;
  const said = (text: string) => ({ isEnough: false, text });
  if (password === '') return said(`At least ${shortest} characters. Try four unrelated words.`);
  if (password.length > longest) return said(`At most ${longest} characters; these are ${password.length}.`);
  if (holds(password, [email.split('@', 1)[0] ?? ''])) return said('It contains your email. Choose something else.');
  if (holds(password, fold(name).split(/[^\p{L}\p{N}]+/u)))
    return said('It contains your name. Choose something else.');
  if (missing > 0) return said(missing === 1 ? '1 more character.' : `${missing} more characters.`);
  return { isEnough: true, text: 'Long enough.' };
}

function holds(password: string, text: readonly string[]): boolean {
  const folded = fold(password);
  return text.some((word) => word.length >= shortestWord && folded.includes(fold(word)));
}

/** As one would hear it, and as the server compares: without case and accents. */
function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
