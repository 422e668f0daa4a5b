import type { Call } from '@wardline/client/http/call.ts';
import type { MarkersChanged, Participant } from '@wardline/contract/chat.ts';
import { listAllParticipants } from './list-participants.ts';
import { raiseParticipant } from './receipts.ts';

interface ThreadParticipantsDeps {
  readonly call: Call;
  readonly chatId: string;
  /** Changes whenever the people may have changed. */
  readonly version: () => string;
  readonly keep: (participants: readonly Participant[]) => void;
  readonly onChange: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Who is in a chat and how far each has got. */
export interface ThreadParticipants {
  list(): readonly Participant[];
  /** What the device's copy knows. */
  begin(participants: readonly Participant[]): void;
  /** Asks the server where the people may have changed since it was asked last. */
  load(): void;
  /** Nothing was told for a while: what is known may be behind, so the next `load` asks. */
  doubt(): void;
  raise(event: MarkersChanged): void;
  stop(): void;
}

export function createThreadParticipants(deps: ThreadParticipantsDeps): ThreadParticipants {
  let people: readonly Participant[] = [];
  let known = '';
  let isStopped = false;

  const merge = (found: readonly Participant[]): readonly Participant[] =>
    found.map((person) => {
      const before = people.find(({ user_id }) => user_id === person.user_id);
      // Markers told while the page was on its way stay: they only rise.
      return before === undefined ? person : (raiseParticipant([person], before)[0] ?? person);
    });
  return {
    list: () => people,
    begin(participants) {
      people = participants;
    },
    load() {
      const version = deps.version();
      if (version === known || isStopped) return;
      known = version;
      listAllParticipants(deps.call, deps.chatId).then(
        (found) => {
          if (isStopped) return;
          people = merge(found);
          deps.keep(people);
          deps.onChange();
        },
        (error) => {
          if (isStopped) return;
          known = '';
          deps.onFailure(error);
        },
      );
    },
    doubt() {
      known = '';
    },
    raise(event) {
      if (!people.some(({ user_id }) => user_id === event.user_id)) known = '';
      people = raiseParticipant(people, event);
    },
    stop() {
      isStopped = true;
    },
  };
}
