import { connect } from 'node:net';
import { startMllpServer } from '#/platform/hl7/mllp-server.ts';
import { createLog } from '#/platform/log.ts';

/** Sends a message over a socket to a listener that hands it on, and answers the acknowledgement. */
export async function sendByMllp(text: string, onMessage: (text: string) => Promise<string>): Promise<string> {
  const server = await startMllpServer({ host: '127.0.0.1', port: 0, log: createLog('silent'), onMessage });
  try {
    return await new Promise((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.write(`\u000b${text}\u001c\r`));
      socket.setEncoding('utf8').on('error', reject);
      socket.on('close', () => reject(new Error('the connection ended without an answer')));
      socket.on('data', (answer) => {
        socket.end();
        resolve(String(answer));
      });
    });
  } finally {
    await server.close();
  }
}
