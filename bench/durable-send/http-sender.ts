import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Sender } from './hospital.ts';

/** Sends messages over one kept connection, as a client would, and does as little else as possible. */
export function createHttpSender(port: number, sender: Pick<Sender, 'chatId' | 'token'>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const path = `/api/chats/${sender.chatId}/messages`;
  return {
    send(body: string): Promise<void> {
      const text = JSON.stringify({ client_id: randomUUID(), body });
      const headers = {
        authorization: `Bearer ${sender.token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      };
      return new Promise((resolve, reject) => {
        const sent = request({ port, host: '127.0.0.1', method: 'POST', path, agent, headers }, (reply) => {
          reply.resume();
          reply.on('error', reject);
          reply.on('end', () => {
            if (reply.statusCode === 201) resolve();
            else reject(new Error(`a message was answered with ${reply.statusCode}`));
          });
        });
        sent.on('error', reject);
        sent.end(text);
      });
    },
    async close(): Promise<void> {
      agent.destroy();
    },
  };
}
