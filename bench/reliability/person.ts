import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Member } from '../delivery/hospital.ts';

/** What a text carries so that each who hears it knows how long it took: the clock that all processes of a machine share. */
export function stamp(text: string): string {
  return `at ${process.hrtime.bigint()}. ${text}`;
}

export interface PersonOptions {
  readonly port: number;
  readonly member: Member;
  /** The chat that they have open; none where they only hold a socket. */
  readonly chatId: string | null;
  readonly localAddress: string | undefined;
  /** Milliseconds from the stamp of a message until it arrived here as an event. */
  onHeard(ms: number): void;
  /** A socket that was open was closed, and not by this person. */
  onClosed(code: number): void;
  /** An answer that was no success, or none at all. */
  onFailed(what: string): void;
}

const PAGE = 100;
const AGAIN_MS = 1_000;
const STAYING_MS = 25_000;

/**
 * Somebody with an open client: connected, on their own channel and in a chat. Comes back a moment after the socket has closed, and has
 * by the cursor what was missed.
 */
export class Person {
  /** The last message that this person has, all before it included. */
  cursor = 0;
  /** Messages that the server has and did not give when it was asked for what follows the cursor. */
  lost = 0;
  #socket: WebSocket | null = null;
  #isLeaving = false;
  #catchingUp: Promise<void> | null = null;
  readonly #options: PersonOptions;

  constructor(options: PersonOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Resolves when all channels are joined and what was missed is there. */
  async join(): Promise<void> {
    const { member, chatId } = this.#options;
    const names = [`private-App.Models.User.${member.userId}`, ...(chatId === null ? [] : [`private-chat.${chatId}`])];
    await this.#connect(names);
    await this.#catchUp();
  }

  leave(): void {
    this.#isLeaving = true;
    this.#socket?.terminate();
  }

  #connect(names: readonly string[]): Promise<void> {
    const { port, localAddress, onClosed, onFailed } = this.#options;
    const url = `ws://127.0.0.1:${port}/app/wardline?protocol=7`;
    const socket = new WebSocket(url, { perMessageDeflate: false, ...(localAddress && { localAddress }) });
    this.#socket = socket;
    const staying = setInterval(() => {
      if (socket.readyState === WebSocket.OPEN) socket.send('{"event":"pusher:ping","data":{}}');
    }, STAYING_MS);
    return new Promise((resolve, reject) => {
      let joined = 0;
      let isKept = false;
      socket.on('open', () => {
        isKept = true;
      });
      socket.on('error', () => {
        if (!isKept) onFailed('connect: refused');
      });
      socket.on('close', (code) => {
        clearInterval(staying);
        reject(new Error(`a socket was closed with ${code}`));
        if (this.#isLeaving) return;
        if (isKept) onClosed(code);
        void this.#comeBack();
      });
      socket.on('message', (data: Buffer) => {
        const text = data.toString('latin1');
        if (text.includes('Events\\\\MessageSent')) this.#hear(text);
        else if (text.includes('subscription_succeeded')) {
          joined += 1;
          if (joined === names.length) resolve();
        } else if (text.includes('connection_established')) {
          const socketId: string = JSON.parse(JSON.parse(text).data).socket_id;
          // One after the other: the first binds the socket to the session.
          void this.#subscribe(socket, socketId, names).catch(() => {
            isKept = false;
            socket.terminate();
          });
        }
      });
    });
  }

  async #subscribe(socket: WebSocket, socketId: string, names: readonly string[]): Promise<void> {
    for (const channel of names) {
      const reply = await this.#ask('POST', '/broadcasting/auth', { socket_id: socketId, channel_name: channel });
      socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { ...reply, channel } }));
    }
  }

  async #comeBack(): Promise<void> {
    // As pusher-js after 4100: a second, and here so much more that not all come at once.
    await sleep(AGAIN_MS + Math.random() * AGAIN_MS);
    if (!this.#isLeaving) await this.join().catch(() => {});
  }

  #hear(text: string): void {
    const stampedAt = /\bat (\d+)\. /.exec(text)?.[1];
    if (stampedAt !== undefined) this.#options.onHeard(Number(process.hrtime.bigint() - BigInt(stampedAt)) / 1e6);
    const seq = Number(/\\"seq\\":(\d+)/.exec(text)?.[1]);
    if (seq === this.cursor + 1) this.cursor = seq;
    else if (seq > this.cursor) void this.#catchUp();
  }

  /** Asks for what follows the cursor until there is no more, however often that fails; once at a time. */
  #catchUp(): Promise<void> {
    this.#catchingUp ??= this.#readUntilDone().finally(() => {
      this.#catchingUp = null;
    });
    return this.#catchingUp;
  }

  async #readUntilDone(): Promise<void> {
    while (!this.#isLeaving) {
      try {
        return await this.#readOn();
      } catch {
        await sleep(AGAIN_MS + Math.random() * AGAIN_MS);
      }
    }
  }

  async #readOn(): Promise<void> {
    const { chatId } = this.#options;
    for (let isBehind = chatId !== null; isBehind; ) {
      const path = `/api/chats/${chatId}/messages`;
      const from = this.cursor;
      // Whoever comes for the first time begins at the end.
      const page = await this.#ask('GET', from === 0 ? `${path}?limit=1` : `${path}?after=${from}&limit=${PAGE}`);
      const { data, head_seq: head } = page as { data: { seq: number }[]; head_seq: number };
      for (const { seq } of data) {
        if (from !== 0 && seq > this.cursor + 1) this.lost += seq - this.cursor - 1;
        this.cursor = Math.max(this.cursor, seq);
      }
      isBehind = data.length > 0 && this.cursor < head;
    }
  }

  async #ask(method: string, path: string, body?: object): Promise<object> {
    const { port, member } = this.#options;
    const what = `${method} ${path.replace(/\?.*|[0-9a-f-]{36}/g, '')}`;
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${member.token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      this.#options.onFailed(`${what}: no answer`);
      throw error;
    });
    if (!reply.ok) {
      this.#options.onFailed(`${what}: ${reply.status}`);
      throw new Error(`${path} answered ${reply.status}`);
    }
    return (await reply.json()) as object;
  }
}
