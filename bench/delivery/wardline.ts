import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createHttpSender } from '../durable-send/http-sender.ts';
import { startWardline } from '../durable-send/wardline-process.ts';
import type { ChatSender, ChatServer } from './chat-server.ts';
import { openHospital } from './hospital.ts';
import { connectListeners } from './listeners.ts';

/** A build's server over a database of its own, which it migrates as it starts. */
export async function startBuild(
  name: string,
  { folder, postgresUrl, dataDir }: { folder: string; postgresUrl: string; dataDir: string },
): Promise<ChatServer> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  const settings = {
    // A few senders stand for a hospital's people, and one address for its many: their limits are not what is measured.
    WARDLINE_WRITES_PER_SECOND: '10000',
    WARDLINE_STRANGER_SOCKETS: '1000',
  };
  const main = join(folder, 'apps/server/dist/main.js');
  const { port, pid, stop } = await startWardline(url.href, mkdtempSync(join(dataDir, 'files-')), settings, { main });
  return {
    ...{ name, pid, stop },
    async open(size) {
      const hospital = await openHospital(url.href, size);
      const { members, chatIds } = hospital;
      return {
        ...(await connectListeners(port, hospital)),
        senders: (count) =>
          members
            .slice(0, count)
            .map(({ token }, n) =>
              untilStored(createHttpSender(port, { token, chatId: chatIds[n % chatIds.length] ?? '' })),
            ),
      };
    },
  };
}

/** As a device does: what the server cannot take for the moment (503) is sent again. */
export function untilStored(sender: ChatSender): ChatSender {
  return {
    ...sender,
    async send(body) {
      for (let tries = 1; ; tries++) {
        try {
          return await sender.send(body);
        } catch (error) {
          if (tries === 5) throw error;
          await new Promise((done) => setTimeout(done, 200));
        }
      }
    },
  };
}
