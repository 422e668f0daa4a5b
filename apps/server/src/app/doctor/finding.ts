/** One thing that was looked at. */
export interface Finding {
  /** `warning`: it works, but not as well or as safely as it should; `error`: something does not work, or will not. */
  readonly state: 'ok' | 'warning' | 'error';
  /** A sentence for the operator, without any secret. */
  readonly says: string;
  /** What to do about it; null where all is well. */
  readonly remedy: string | null;
}

export const ok = (says: string): Finding => ({ state: 'ok', says, remedy: null });
export const warning = (says: string, remedy: string): Finding => ({ state: 'warning', says, remedy });
export const error = (says: string, remedy: string): Finding => ({ state: 'error', says, remedy });

/** What the start refuses, in its words: first what is wrong, then what to do. */
export function refusal({ message }: Error): Finding {
  const [says = '', ...remedy] = message.split('\n');
  return error(says, remedy.join('\n') || 'The server does not start before.');
}

/** A finding as it is printed: the state, the sentence, and under it what to do. */
export function formatFinding({ state, says, remedy }: Finding): string {
  const indent = ' '.repeat(9);
  return [`${state.padEnd(indent.length)}${says}`, ...(remedy?.split('\n') ?? []).map((line) => indent + line)].join(
    '\n',
  );
}
