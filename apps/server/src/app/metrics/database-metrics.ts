import { statfs } from 'node:fs/promises';
import { type RawBuilder, sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';

interface StateDeps {
  readonly db: Database;
  /** The data folder, whose disk is watched. */
  readonly dataDir: string;
}

/** Each number with its labels, by the metric's name. */
interface Reading {
  readonly metric: string;
  readonly label: string;
  readonly value: number | null;
}

const readings = typedRows<Reading>({ metric: 'string', label: 'string', value: 'number?' });

/** What is late by how much; of what waits for its time nothing is. */
const lateBy = (kind: string, dueAt: RawBuilder<unknown>, from: RawBuilder<unknown>) =>
  sql`select 'late' as metric, ${kind} as label, coalesce(extract(epoch from now() - min(${dueAt})), 0)::float8 as value
    from ${from}`;

/** Counts and times alone: no statement reads a name, an id or a text. Each is one look at an index, or at what PostgreSQL counts by itself. */
const STATE = sql`
  select 'jobs' as metric, state as label, count(j.kind)::float8 as value
  from unnest(array['waiting', 'due', 'failing', 'dead']) as state
  left join jobs j on state = case
    when j.dead_at is not null then 'dead' when j.attempts > 0 then 'failing' when j.run_at > now() then 'waiting' else 'due' end
  group by state
  union all ${lateBy('job', sql`run_at`, sql`jobs where dead_at is null and run_at <= now()`)}
  union all ${lateBy('escalation', sql`e.due_at`, sql`escalations e join facilities f on f.id = e.facility_id and f.deactivated_at is null where e.due_at <= now()`)}
  union all ${lateBy('notification', sql`due_at`, sql`chat_notification_queue where due_at <= now()`)}
  union all ${lateBy('on_call_turn', sql`due_at`, sql`on_call_turns where due_at <= now()`)}
  union all
  select 'rows', relname, n_live_tup::float8 from pg_stat_user_tables where relname in ('messages', 'attachments', 'chats')
  union all
  select 'stored', relname, n_tup_ins::float8 from pg_stat_user_tables where relname in ('messages', 'attachments')
  union all
  select 'held', 'files', count(*)::float8 from (select 1 from attachments where scan = 'pending' limit 1000) as held
  union all select 'size', 'database', pg_database_size(current_database())::float8
  union all select 'clock', 'database', extract(epoch from clock_timestamp())::float8`;

const GAUGES = {
  jobs: ['wardline_jobs', 'Jobs by state; dead ones were given up after their last try.', 'state'],
  late: ['wardline_late_seconds', 'By how much the oldest that is due is late.', 'kind'],
  rows: ['wardline_rows', 'About how many there are, as PostgreSQL counts by itself.', 'table'],
  stored: ['wardline_stored_rows', 'How many were stored since PostgreSQL last began to count.', 'table'],
  held: ['wardline_held', 'Files that wait to be checked for malware; at most 1,000 are counted.', 'what'],
  size: ['wardline_size_bytes', 'How much the database takes.', 'what'],
} as const;

const isNamed = (metric: string): metric is keyof typeof GAUGES => Object.hasOwn(GAUGES, metric);

/** What only the database and the disk know, asked when somebody scrapes. Where they do not answer, `wardline_database_up` says so and the rest is left out. */
export function addStateMetrics(register: Registry, { db, dataDir }: StateDeps): () => Promise<void> {
  const registers = [register];
  const gauges = Object.fromEntries(
    Object.entries(GAUGES).map(([metric, [name, help, label]]) => [
      metric,
      { label, gauge: new Gauge<string>({ name, help, labelNames: [label], registers }) },
    ]),
  );
  const isUp = new Gauge({ name: 'wardline_database_up', help: 'Whether the database answers.', registers });
  const offset = new Gauge({
    name: 'wardline_database_clock_offset_seconds',
    help: 'By how much the clock of the database is ahead of this process.',
    registers,
  });
  const disk = new Gauge({
    name: 'wardline_disk_bytes',
    help: 'The disk of the data folder.',
    labelNames: ['what'],
    registers,
  });

  async function readDatabase(): Promise<void> {
    const askedAt = Date.now();
    const rows = await asSystem('readiness', () => readings.read(db, STATE));
    isUp.set(1);
    for (const { metric, label, value } of rows) {
      if (metric === 'clock') offset.set((value ?? 0) - (askedAt + Date.now()) / 2000);
      else if (isNamed(metric)) gauges[metric]?.gauge.set({ [gauges[metric].label]: label }, value ?? 0);
    }
  }

  async function readDisk(): Promise<void> {
    const { bsize, bavail, blocks } = await statfs(dataDir);
    disk.set({ what: 'free' }, bavail * bsize);
    disk.set({ what: 'size' }, blocks * bsize);
  }

  return async () => {
    for (const { gauge } of Object.values(gauges)) gauge.reset();
    await Promise.all([readDatabase().catch(() => isUp.set(0)), readDisk().catch(() => disk.reset())]);
  };
}
