import type { MessageAct } from '@wardline/contract/chat/chat.ts';
import type { RequestContext, Transaction, Write } from '#/platform/http/context.ts';
import type { Publication, Publish } from '#/platform/http/publish.ts';
import type { Log } from '#/platform/log.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';

/** A line in the discussion about something, and who is to take part in it. */
export interface DiscussionLine {
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

/** Where the census talks of its things; the chats are kept elsewhere. */
export interface Discussions {
  /** Runs in the transaction of the change that the line tells of. */
  say(tx: Transaction, line: DiscussionLine): Promise<SaidLine>;
}

/** What the census needs of the rest of the product. */
export interface CensusDeps {
  readonly db: RequestContext['db'];
  readonly log: Log;
  readonly discussions: Discussions;
  /** Key of the hashes under which visits of the patient system are kept. */
  readonly feedSecret: Buffer;
  /** Takes a message of the laboratory (ORU), which comes in by the same feed. Throws Hl7Error where it is not taken. */
  readonly receiveResults: (
    ctx: { readonly db: RequestContext['db']; readonly write: Write },
    handed: { readonly facilityId: string; readonly timeZone: string; readonly text: string },
  ) => Promise<{ readonly controlId: string }>;
  /** For what the clock does; what a request does is published by its write. */
  readonly publish: Publish;
  readonly mailer: Mailer;
  /** Where the product is, for links in mails. */
  readonly publicUrl: () => string;
  readonly productName: string;
}
