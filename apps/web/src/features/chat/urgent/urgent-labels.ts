import type { LadderCall, LadderStep, Urgent } from '@wardline/contract/chat/urgent.ts';
import { formatList } from '@wardline/format/names.ts';

/** Whether it still asks something of somebody. */
export function isOpen({ state }: Pick<Urgent, 'state'>): boolean {
  return state !== 'closed' && state !== 'withdrawn';
}

/** Of what I did about one while it waits on this device. */
export const KEPT_HERE = 'Kept on this device. Nobody knows of it until it is sent.';

const EVERYONE = 'everyone in this chat';

/** Whom it was sent to, in words: 'Medical registrar, you and Leila Haddad'. */
export function formatTargets({ people, role }: Urgent['targets'], myId?: string): string {
  const names = people.map(({ user_id, name }) => (user_id === myId ? 'you' : name));
  return formatList([...(role ? [role.name] : []), ...names]) || EVERYONE;
}

/** Whom a step calls, in words that go after 'Calls' and before 'in 2 min'. */
export function formatCall(call: LadderCall, next: Urgent['next'], fallback: string | null = null): string {
  if (call === 'again') return 'again';
  if (call === 'next' && next) return formatTargets(next);
  if (call === 'everyone') return EVERYONE;
  return fallback ?? 'the on-call fallback, or everyone here';
}

/** What happens by itself next; null where nothing does. */
export function formatNext({ state, due_at, steps, step, next }: Urgent, now: number): string | null {
  if (due_at === null) return null;
  const wait = formatWait(Date.parse(due_at) - now);
  if (state === 'accepted') return `Reminder ${wait} unless it is done`;
  const rung = steps[step];
  return rung ? `Calls ${formatCall(rung.call, next)} ${wait}` : `Ends ${wait} if nobody answers`;
}

/** 'in 2 min', 'in under a minute', 'now'; past two hours 'in 3 h', past two days 'in 3 days'. */
export function formatWait(ms: number): string {
  if (ms <= 0) return 'now';
  const minutes = Math.round(ms / 60_000);
  if (minutes >= 2 * 1440) return `in ${Math.round(minutes / 1440)} days`;
  if (minutes > 120) return `in ${Math.round(minutes / 60)} h`;
  return ms < 60_000 ? 'in under a minute' : `in ${minutes} min`;
}

/** The ladder of a facility as it will be for a message, one line a step. */
export function ladderLines(
  steps: readonly LadderStep[],
  { next, fallback }: { readonly next: Urgent['next']; readonly fallback: string | null },
): string[] {
  return steps.map(({ after_min, call }) => `After ${after_min} min: ${formatCall(call, next, fallback)}`);
}
