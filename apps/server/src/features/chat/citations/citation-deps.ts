import type { CitedFinding } from '@wardline/contract/chat/chat.ts';
import type { Citation } from '@wardline/contract/chat/citations.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';

/** What the chat asks of examinations, which are kept elsewhere. */
export interface CitationDeps {
  /** The findings of this chat's signed reports as they were said, in the order asked; refused in words where one can't be cited. */
  readonly cite: (
    tx: DatabaseTransaction,
    asked: { readonly chatId: string; readonly cites: readonly CitedFinding[] },
  ) => Promise<Citation[]>;
}
