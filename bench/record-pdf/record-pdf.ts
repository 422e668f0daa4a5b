/**
 * What record.pdf costs: a chat of many messages read from PostgreSQL and written by its process, beside the server that goes on with
 * its work. Prints one JSON: how long, how large, the most memory of the process, and the longest that the server's event loop stood.
 *
 *   npx tsx --tsconfig bench/tsconfig.json bench/record-pdf/record-pdf.ts [--messages 10000] [--keep FILE]
 */
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import { createRecordPdfPrinter } from '../../apps/server/src/features/chat/record-export/record-pdf.ts';
import {
  findExportedChats,
  findExportingFacility,
} from '../../apps/server/src/features/chat/record-export/record-queries.ts';
import { createDatabase } from '../../apps/server/src/platform/db/database.ts';
import { migrate } from '../../apps/server/src/platform/db/migrate.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/postgres/embedded.ts';

const { values } = parseArgs({ options: { messages: { type: 'string', default: '10000' }, keep: { type: 'string' } } });
const count = Number(values.messages);
const FILL = `
  set session_replication_role = replica;
  insert into facilities (id, name, code, time_zone) values (gen_random_uuid(), 'Bench', 'BN', 'Europe/Dublin');
  insert into users (id, name, email, password_hash) values (gen_random_uuid(), 'Ana Reyes', 'one@people.test', '');
  insert into memberships (id, facility_id, user_id) select gen_random_uuid(), f.id, u.id from facilities f, users u where u.email = 'one@people.test';
  insert into chats (id, facility_id, kind, title, created_by, client_id, head_seq)
    select gen_random_uuid(), f.id, 'group', 'Chat', u.id, gen_random_uuid(), ${count} from facilities f, users u where u.email = 'one@people.test';
  insert into messages (id, chat_id, facility_id, seq, client_id, sender_id, kind, body, created_at)
    select gen_random_uuid(), c.id, c.facility_id, seq, gen_random_uuid(), u.id, 'text',
      'Potassium ' || seq % 9 || ',' || seq % 10 || ' at noon → doctor informed, ECG without changes, taken again at six. ' ||
      case when seq % 20 = 0 then 'مرحبا الجرعة ' || seq || ' 👍🏽' else 'Slept well, no pain, walked to the bathroom with help.' end,
      timestamptz '2026-01-01' + seq * interval '7 min'
    from chats c, users u, generate_series(1, ${count}) seq where u.email = 'one@people.test';
  set session_replication_role = origin;`;

const dataDir = mkdtempSync(join(tmpdir(), 'wardline-bench-'));
const silent = { info() {}, warn() {}, error() {}, debug() {} };
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
try {
  await migrate(postgres.connectionString, fileURLToPath(new URL('../../apps/server/db', import.meta.url)));
  const owner = new pg.Client({ connectionString: postgres.connectionString });
  owner.on('error', () => undefined);
  await owner.connect();
  await owner.query(FILL);
  await owner.query('vacuum analyze');
  await owner.end();
  const db = createDatabase(postgres.connectionString, createLog('silent'));
  const { id } = await db.selectFrom('facilities').select('id').executeTakeFirstOrThrow();
  const facility = { id, ...(await findExportingFacility(db, id)) };
  const chats = await findExportedChats(db, { facilityId: id, which: sql`true` });
  const about = {
    facility,
    chats,
    at: new Date().toISOString(),
    by: { id: 'r', name: 'Rhea Cole' },
    reason: 'A measurement.',
  };
  const printing = createRecordPdfPrinter().print({ db, signedReports: async () => [], ...about });
  const keep = values.keep === undefined ? null : createWriteStream(values.keep);
  // What was set up before is no part of it.
  await setTimeout(500);
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const startedAt = performance.now();
  let [bytes, largest, processMb] = [0, 0, 0];
  for await (const part of printing) {
    bytes += part.length;
    largest = Math.max(largest, part.length);
    processMb = Math.max(processMb, memoryOfProcess());
    keep?.write(part);
  }
  loop.disable();
  keep?.end();
  const seconds = (performance.now() - startedAt) / 1000;
  const round = (value: number) => Math.round(value * 10) / 10;
  console.log(
    JSON.stringify({
      ...{
        messages: count,
        seconds: round(seconds),
        pdf_mb: round(bytes / 1e6),
        largest_part_kb: round(largest / 1e3),
      },
      ...{
        process_mb: round(processMb),
        loop_longest_ms: round(loop.max / 1e6),
        loop_p99_ms: round(loop.percentile(99) / 1e6),
      },
      server_mb: round(process.memoryUsage.rss() / 1e6),
    }),
  );
  await db.destroy();
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** The most that the process of the PDF has held so far, in MB, where the system tells it. */
function memoryOfProcess(): number {
  try {
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (!command.includes('record-pdf-worker')) continue;
      return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    }
  } catch {
    // It has just ended, or there is no such folder.
  }
  return 0;
}
