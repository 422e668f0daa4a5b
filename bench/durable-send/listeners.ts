import { WebSocket } from 'ws';
import type { Sender } from './hospital.ts';

export interface Listeners {
  /** Events of the chats' channels that arrived. */
  received(): number;
  close(): void;
}

/** One socket per person, subscribed to their chat and to their own channel, as an open client is. */
export async function connectListeners(port: number, people: readonly Sender[]): Promise<Listeners> {
  const sockets: WebSocket[] = [];
  let received = 0;
  const waiting = [...people];
  const work = async () => {
    for (let person = waiting.pop(); person; person = waiting.pop()) {
      sockets.push(await connect(port, person, () => received++));
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return {
    received: () => received,
    close() {
      for (const socket of sockets) socket.terminate();
    },
  };
}

async function connect(port: number, person: Sender, onMessage: () => void): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/app/wardline?protocol=7`, { perMessageDeflate: false });
  const names = [`presence-chat.${person.chatId}`, `private-App.Models.User.${person.userId}`];
  let subscribed = 0;
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.on('message', (data) => {
      const text = String(data);
      if (text.includes('MessageSent')) onMessage();
      else if (text.includes('pusher:connection_established')) {
        const socketId: string = JSON.parse(JSON.parse(text).data).socket_id;
        Promise.all(names.map((name) => subscribe(socket, { port, person, socketId, name }))).catch(reject);
      } else if (text.includes('subscription_succeeded') && ++subscribed === names.length) resolve();
      else if (text.includes('subscription_error')) reject(new Error(text));
    });
  });
  return socket;
}

async function subscribe(
  socket: WebSocket,
  { port, person, socketId, name }: { port: number; person: Sender; socketId: string; name: string },
): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${port}/broadcasting/auth`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ socket_id: socketId, channel_name: name }),
  });
  if (!reply.ok) throw new Error(`${name} was refused with ${reply.status}`);
  const data = { ...((await reply.json()) as object), channel: name };
  socket.send(JSON.stringify({ event: 'pusher:subscribe', data }));
}
