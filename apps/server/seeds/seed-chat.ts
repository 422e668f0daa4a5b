import type { PersonKey } from './people.ts';

/** A chat of the demo hospital, written down as a script. */
export interface ChatScript {
  readonly at: 'brigid' | 'harbour';
  readonly kind: 'case' | 'group' | 'direct' | 'announcement';
  readonly title: string;
  readonly patient?: {
    readonly name: string;
    readonly identifier: string;
    readonly bornOn: string;
    readonly bed: string;
  };
  readonly state?: 'open' | 'handed_over' | 'closed' | 'archived';
  /** The first one opened it. */
  readonly people: readonly PersonKey[];
  /** These may read only. */
  readonly readers?: readonly PersonKey[];
  readonly endsMinutesAgo: number;
  /** How many of the newest messages somebody has not read; everybody else has read all. */
  readonly unread?: Readonly<Partial<Record<PersonKey, number>>>;
  /** One line per message: who, minutes since the line before, what; `*` before the text marks a system line. */
  readonly said: string;
}

export interface Line {
  readonly by: PersonKey;
  readonly gapMinutes: number;
  readonly kind: 'text' | 'system';
  readonly body: string;
}

const LINE = /^(\w+) (\d+) (\*)?(.+)$/;

export function linesOf(script: ChatScript): Line[] {
  const [maker] = script.people;
  if (!maker) throw new Error(`${script.title} has no people`);
  const opening: Line = { by: maker, gapMinutes: 0, kind: 'system', body: 'created the chat' };
  const lines = script.said
    .trim()
    .split('\n')
    .map((text): Line => {
      const [, by = '', gap, star, body = ''] = LINE.exec(text.trim()) ?? [];
      const speaker = script.people.find((key) => key === by);
      if (speaker === undefined) throw new Error(`${script.title}: nobody says “${text}”`);
      return { by: speaker, gapMinutes: Number(gap), kind: star ? 'system' : 'text', body };
    });
  return [opening, ...lines];
}
