import { formatList } from './names.ts';

/** What an urgent message has been through, as the contract states it. */
export interface WrittenUrgentEntry {
  readonly kind: string;
  /** Null by the clock. */
  readonly by: { readonly user_id: string; readonly name: string } | null;
  readonly called: readonly string[];
  readonly note: string | null;
}

/** A line of the timeline of an urgent message, as `myId` reads it; null for a kind that this build does not know. */
export function formatUrgentEntry(
  { kind, by, called, note }: WrittenUrgentEntry,
  myId?: string,
  isCritical = false,
): string | null {
  const who = by === null ? '' : by.user_id === myId ? 'You' : by.name;
  const names = called.length > 0 ? formatList(called) : 'nobody there to call';
  const sentences: Readonly<Record<string, string>> = {
    sent: `${who} sent it. Called: ${names}`,
    repeated: `Called again: ${names}`,
    climbed: `Called further: ${names}`,
    exhausted: 'Nobody left to call',
    received: `${who} received it`,
    misread: `${who} read it back, not agreed: ${note ?? ''}`,
    accepted: isCritical ? `${who} read it back, all agreed` : `${who} acknowledged it`,
    reminded: `Reminded: ${names}`,
    resumed: `Whoever had ${isCritical ? 'read it back' : 'acknowledged it'} is gone. Calling again`,
    acted: `${who} closed it: ${note ?? ''}`,
    withdrawn: `${who} withdrew it: ${note ?? ''}`,
  };
  return sentences[kind] ?? null;
}
