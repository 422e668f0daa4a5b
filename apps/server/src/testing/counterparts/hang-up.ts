import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { multipart } from '#/testing/multipart.ts';
import type { TestClient } from '#/testing/test-client.ts';
import type { TestServer } from '#/testing/test-server.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';

interface Upload {
  readonly server: TestServer;
  readonly client: TestClient;
  readonly path: string;
  readonly form: ReturnType<typeof multipart>;
}

/** Sends a file by a real connection and hangs up while it waits for what `hold` holds. */
export async function hangUpWhileHeld(
  { server, client, path, form }: Upload,
  hold: (tx: DatabaseTransaction) => Promise<unknown>,
): Promise<void> {
  const { cookies } = client;
  const closed = new Promise((done) => {
    server.app.server.once('connection', (socket) => socket.once('close', done));
  });
  const controller = new AbortController();
  await server.db.transaction().execute(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    await hold(tx);
    const sending = fetch(`${server.baseUrl}${path}`, {
      method: 'POST',
      signal: controller.signal,
      headers: {
        ...form.headers,
        connection: 'close',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '',
      },
      body: new Uint8Array(form.body),
    });
    await untilBlocked(server.db, sending);
    controller.abort();
    await sending.then(
      () => Promise.reject(new Error('it was answered')),
      () => undefined,
    );
    await closed;
  });
  // It had what was held next; whoever has it now comes after the end of it.
  await server.db.transaction().execute(hold);
}
