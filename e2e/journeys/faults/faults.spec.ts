import { expect } from '@playwright/test';
import { signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import {
  firstFacilityId,
  judge,
  openGroupChat,
  readAllMessages,
  type Verdict,
  writeUntilAcknowledged,
} from '../../support/ledger.ts';
import { isNightly, NIGHTLY } from '../../support/nightly.ts';
import { startCuttingProxy } from '../../support/servers/cutting-proxy.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 300_000 });
test.use({ serviceWorkers: 'allow' });

let wardline: WardlineProcess;

test.beforeAll(async () => {
  wardline = await startWardline();
});
test.afterAll(() => wardline.stop());

const NOTHING_LOST = { lost: 0, doubled: 0, gaps: 0 };

function report(what: string, verdict: Verdict): void {
  console.log(`${what}: ${JSON.stringify(verdict)}`);
}

/** A person with an open chat of their own. */
async function writerWithChat(title: string) {
  const person = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
  const chatId = await openGroupChat(person, await firstFacilityId(person), title);
  return { person, chatId };
}

test('R1 the server is killed between commit and answer: acknowledged messages lost 0, doubled 0, gaps 0', async () => {
  const { chatId } = await writerWithChat('Kill between commit and answer');
  const proxy = await startCuttingProxy(wardline.baseUrl);
  const person = await signInOverHttp(proxy.baseUrl, 'doctor@demo.test');
  const times = isNightly ? 4 : 2;
  let kills = 0;
  const acknowledged = await writeUntilAcknowledged({
    person,
    chatId,
    writers: 1,
    perWriter: 10 * times,
    onAcknowledged(count) {
      if (count % 10 !== 5) return;
      proxy.cutNextAnswer(/^POST .*\/messages/, () => {
        kills += 1;
        void wardline.restart();
      });
    },
  });
  const verdict = judge(acknowledged, await readAllMessages(person, chatId));
  report(`R1 ${kills} kills between commit and answer`, verdict);
  await proxy.close();
  expect(kills).toBe(times);
  expect(verdict).toMatchObject({ acknowledged: 10 * times, ...NOTHING_LOST });
});

test('R4 sabotage: a sender that makes a new id for every attempt is seen as doubling', async () => {
  const { chatId } = await writerWithChat('Sabotaged ids');
  const proxy = await startCuttingProxy(wardline.baseUrl);
  const person = await signInOverHttp(proxy.baseUrl, 'doctor@demo.test');
  const acknowledged = await writeUntilAcknowledged({
    person,
    chatId,
    writers: 1,
    perWriter: 6,
    newIdPerAttempt: true,
    onAcknowledged(count) {
      if (count === 3) proxy.cutNextAnswer(/^POST .*\/messages/, () => undefined);
    },
  });
  const verdict = judge(acknowledged, await readAllMessages(person, chatId));
  await proxy.close();
  report('R4 sabotaged sender', verdict);
  expect(verdict).toMatchObject({ acknowledged: 6, doubled: 1 });
});

test('R2 PostgreSQL is killed under 8 writers: acknowledged messages lost 0, doubled 0, gaps 0', {
  tag: NIGHTLY,
}, async () => {
  const { person, chatId } = await writerWithChat('PostgreSQL killed');
  let kills = 0;
  const acknowledged = await writeUntilAcknowledged({
    person,
    chatId,
    writers: 8,
    perWriter: 100,
    onAcknowledged(count) {
      if (count % 250 !== 0) return;
      kills += 1;
      void wardline.killPostgres();
    },
  });
  const verdict = judge(acknowledged, await readAllMessages(person, chatId));
  report(`R2 ${kills} kills of PostgreSQL under 8 writers`, verdict);
  expect(kills).toBe(3);
  expect(verdict).toMatchObject({ acknowledged: 800, ...NOTHING_LOST });
});

test('R2 sabotage: with synchronous_commit off the same kills lose acknowledged messages, and the judge sees it', {
  tag: NIGHTLY,
}, async () => {
  const { person, chatId } = await writerWithChat('Sabotaged durability');
  // Behind the back of the running server, which would refuse to start so; its connections come back with it.
  await wardline.asDatabaseOwner(`
    alter role wardline_app set synchronous_commit = off;
    alter system set wal_writer_delay = '10s';
    select pg_reload_conf();
    select pg_terminate_backend(pid) from pg_stat_activity where usename = 'wardline_app'`);
  let lost = 0;
  for (let round = 0; round < 5 && lost === 0; round++) {
    const acknowledged = await writeUntilAcknowledged({ person, chatId, writers: 8, perWriter: 40 });
    await wardline.killPostgres();
    const stored = await readOnceBack(() => readAllMessages(person, chatId));
    lost = judge(acknowledged, stored).lost;
    report(`R2 sabotaged server, round ${round + 1}`, judge(acknowledged, stored));
  }
  await wardline.asDatabaseOwner(
    'alter role wardline_app reset synchronous_commit; alter system reset wal_writer_delay',
  );
  expect(lost).toBeGreaterThan(0);
});

/** Reads again until the database answers. */
async function readOnceBack<Rows>(read: () => Promise<Rows>): Promise<Rows> {
  for (let tries = 0; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
