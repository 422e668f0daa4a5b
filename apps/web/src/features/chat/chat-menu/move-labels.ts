import type { Chat } from '@wardline/contract/chat/chat.ts';
import { formatState } from '#/features/chat/core/chat-labels.ts';

type State = Chat['state'];

/** A change of a chat's state in words: the act, the question before it, and what it means to everybody in the chat. */
export interface MoveLabels {
  readonly label: string;
  readonly title: string;
  readonly meaning: string;
}

const REOPENS: MoveLabels = {
  label: 'Reopen',
  title: 'Reopen this chat?',
  meaning: 'Everybody who could write here can write again.',
};

const MOVES: Readonly<Record<State, Partial<Record<State, MoveLabels>>>> = {
  open: {
    handed_over: {
      label: 'Hand over',
      title: 'Hand over this chat?',
      meaning:
        'The next team goes on here, and everybody can still write. Add whoever takes over first, if they aren’t here yet.',
    },
  },
  handed_over: {
    open: {
      label: 'Take back',
      title: 'Take this chat back?',
      meaning: 'It is no longer marked as handed over. Everybody can still write.',
    },
  },
  closed: {
    open: REOPENS,
    archived: {
      label: 'Archive',
      title: 'Archive this chat?',
      meaning: 'It stays closed. Everybody in it can still read it and find it by search.',
    },
  },
  archived: {
    closed: {
      label: 'Take out of archive',
      title: 'Take this chat out of the archive?',
      meaning: 'It is closed again, not open: nobody can write until it is reopened.',
    },
  },
};

/** Of a chat about a patient, who is handed over by a sheet. */
const MARKS: MoveLabels = {
  label: 'Mark as handed over',
  title: 'Mark this chat as handed over?',
  meaning:
    'The next team goes on here, and everybody can still write. To hand over with a sheet that both sign, choose “Hand over”.',
};

const CLOSES: MoveLabels = {
  label: 'Close chat',
  title: 'Close this chat?',
  meaning: 'Nobody can write here any more. Everybody in it can still read it, and who manages it can reopen it.',
};

/** What it is called to bring a chat into this state. */
export function formatMove({ state, patient, urgent_count: calling = 0 }: Chat, to: State): MoveLabels {
  if (patient && to === 'handed_over') return MARKS;
  const labels = MOVES[state][to] ?? (to === 'closed' ? CLOSES : REOPENS);
  if (labels !== CLOSES || calling === 0) return labels;
  const still = 'An urgent message here is not finished. Closing the chat does not end it.';
  return { ...CLOSES, meaning: `${CLOSES.meaning} ${still}` };
}

/** What a chat has become meanwhile, beside what somebody saw of it. */
export function changedMeanwhile(before: Chat, now: Chat): string {
  const state = now.state === before.state ? 'still' : 'now';
  const name = now.title === before.title ? '' : ` It is called “${now.title}” now.`;
  return `Somebody changed this chat meanwhile. It is ${state} ${formatState[now.state].toLowerCase()}.${name}`;
}
