import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import { Arrivals } from './chat-server.ts';
import type { Hospital, Member } from './hospital.ts';

const MARK = 'Events\\\\MessageSent';
/** More do not fit into a presence channel: the others listen to the private one. */
const IN_PRESENCE = 100;

export interface Listeners {
  /** Messages that arrived on all sockets together. */
  readonly arrivals: Arrivals;
  close(): void;
}

/**
 * A socket for each member, on their own channel and in one of the chats, as an open client is. What arrives is counted
 * in the bytes of the connection, since parsing it would cost more than sending it.
 */
export async function connectListeners(port: number, { members, chatIds }: Hospital): Promise<Listeners> {
  const sockets: WebSocket[] = [];
  const arrivals = new Arrivals();
  const waiting = [...members.entries()];
  const perChat = Math.ceil(members.length / chatIds.length);
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [index, member] = next;
      const kind = perChat > IN_PRESENCE ? 'private' : 'presence';
      const chat = chatIds[index % chatIds.length];
      const socket = await connect(port, member, [`${kind}-chat.${chat}`, `private-App.Models.User.${member.userId}`]);
      sockets.push(socket);
      countMarks(socket, arrivals);
    }
  };
  // Nobody reads the server's pings here: a socket stays by what it sends.
  const staying = setInterval(() => {
    for (const socket of sockets) socket.send('{"event":"pusher:ping","data":{}}');
  }, 15_000);
  await Promise.all(Array.from({ length: 16 }, work));
  return {
    arrivals,
    close() {
      clearInterval(staying);
      for (const socket of sockets) socket.terminate();
    },
  };
}

function countMarks(socket: WebSocket, arrivals: Arrivals): void {
  const { _socket: stream } = socket as unknown as { _socket: Socket };
  let end = Buffer.alloc(0);
  stream.removeAllListeners('data');
  stream.on('data', (chunk: Buffer) => {
    const text = end.length === 0 ? chunk : Buffer.concat([end, chunk]);
    let found = 0;
    let after = 0;
    for (let at = text.indexOf(MARK); at !== -1; at = text.indexOf(MARK, after)) {
      found += 1;
      after = at + MARK.length;
    }
    end = Buffer.from(text.subarray(Math.max(after, text.length - MARK.length + 1)));
    arrivals.add(found);
  });
}

async function connect(port: number, member: Member, names: readonly string[]): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/app/wardline?protocol=7`, { perMessageDeflate: false });
  let subscribed = 0;
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.on('message', (data) => {
      const text = String(data);
      if (text.includes('pusher:connection_established')) {
        const socketId: string = JSON.parse(JSON.parse(text).data).socket_id;
        Promise.all(names.map((name) => subscribe(socket, { port, member, socketId, name }))).catch(reject);
      } else if (text.includes('subscription_succeeded') && ++subscribed === names.length) resolve();
      else if (text.includes('subscription_error')) reject(new Error(text));
    });
  });
  return socket;
}

async function subscribe(
  socket: WebSocket,
  { port, member, socketId, name }: { port: number; member: Member; socketId: string; name: string },
): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${port}/broadcasting/auth`, {
    method: 'POST',
    headers: { authorization: `Bearer ${member.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ socket_id: socketId, channel_name: name }),
  });
  if (!reply.ok) throw new Error(`${name} was refused with ${reply.status}`);
  const data = { ...((await reply.json()) as object), channel: name };
  socket.send(JSON.stringify({ event: 'pusher:subscribe', data }));
}
