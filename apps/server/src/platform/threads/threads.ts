import type { MessageAct } from '@wardline/contract/chat.ts';
import type { Transaction } from '#/platform/http/context.ts';
import type { Publication } from '#/platform/http/publish.ts';

/** A line in the talk about something, and who is to take part in it. */
export interface ThreadLine {
  readonly facilityId: string;
  /** The chat in which it was talked about so far; null opens one. */
  readonly chatId: string | null;
  readonly title: string;
  /** Those who are concerned; added where they are not in it yet. People who are no members (any more) are left out. */
  readonly people: readonly string[];
  /** Whose act the line tells of; null when the server itself speaks, by its clock. */
  readonly by: { readonly userId: string; readonly name: string } | null;
  /** What was done, said without the name: 'returned the report: …'. */
  readonly body: string;
  /** What can be done about it, from the line. */
  readonly act?: MessageAct;
}

export interface SaidLine {
  readonly chatId: string;
  /** Goes out after the commit. */
  readonly publish: readonly Publication[];
}

/** Runs in the transaction of the change that the line tells of. */
export type SayInThread = (tx: Transaction, line: ThreadLine) => Promise<SaidLine>;

/** Talks that a feature opens and writes in; the chat feature keeps them. */
export interface Threads {
  readonly say: SayInThread;
}
