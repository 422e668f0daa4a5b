import { readFileSync } from 'node:fs';

/** A chat server as this benchmark sees it. */
export interface ChatServer {
  readonly name: string;
  readonly pid: number;
  /** People who are connected, with a chat each of them has open. */
  open(size: { people: number; chats: number }): Promise<OpenChats>;
  stop(): Promise<void>;
}

export interface OpenChats {
  /** What arrived at all members together. */
  readonly arrivals: Arrivals;
  /** One for each of the first members; each chat has as many as the others, or one fewer. */
  senders(count: number): readonly ChatSender[];
  close(): void;
}

export interface ChatSender {
  /** Ends when the server has acknowledged it. */
  send(body: string): Promise<void>;
  close(): Promise<void>;
}

/** Counts messages as they arrive. Waiting for them costs no processor, of which there is little. */
export class Arrivals {
  count = 0;
  #awaited = Number.POSITIVE_INFINITY;
  #reached = () => {};

  add(found: number): void {
    this.count += found;
    if (this.count >= this.#awaited) this.#reached();
  }

  /** Ends when so many have arrived, or after the time; one at once may wait. */
  async reach(count: number, limitMs: number): Promise<void> {
    if (this.count >= count) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.#awaited = count;
      this.#reached = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#awaited = Number.POSITIVE_INFINITY;
  }
}

/** What a process has used so far: user and system time, in ticks of 10 ms (Linux). */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
