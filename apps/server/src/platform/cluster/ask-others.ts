import { randomUUID } from 'node:crypto';
import type { Asked, Bus } from './bus.ts';

const ANSWER_MS = 1_000;

/** Asks all other servers; resolves to what they answered within a second, or until one has answered what is enough. */
export type AskOthers = (asked: Asked, isEnough?: (answer: unknown) => boolean) => Promise<readonly unknown[]>;

/** Asks others over the bus, and answers them with what `answerHere` makes; undefined where it is asked of another part. */
export function createAskOthers(bus: Bus, answerHere: (asked: Asked) => unknown): AskOthers {
  const waiting = new Map<string, (answer: unknown) => void>();
  bus.onTold((told, bytes) => {
    if (told.kind === 'answer') waiting.get(told.question)?.(JSON.parse(bytes.toString()));
    if (told.kind !== 'ask') return;
    const answer = answerHere(told.asked);
    if (answer === undefined) return;
    bus.tell({ kind: 'answer', question: told.question }, Buffer.from(JSON.stringify(answer)));
  });

  return async (asked, isEnough = () => false) => {
    const others = bus.others();
    const answers: unknown[] = [];
    if (others === 0) return answers;
    const question = randomUUID();
    let unanswered: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      waiting.set(question, (answer) => {
        answers.push(answer);
        if (answers.length >= others || isEnough(answer)) resolve();
      });
      // Whoever has not answered is gone, and its sockets with it.
      unanswered = setTimeout(resolve, ANSWER_MS);
      bus.tell({ kind: 'ask', question, asked });
    });
    clearTimeout(unanswered);
    waiting.delete(question);
    return answers;
  };
}
