import { sql } from 'kysely';
import type { Database } from '#/platform/db/database.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Publish } from '#/platform/http/publish.ts';
import { createWrite } from '#/platform/http/writes/write.ts';
import type { Log } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { passRolesOfChat } from './pass-roles.ts';

export interface RoleClock {
  /** Looks at once and then twice a second. */
  start(): void;
  /** Begins no further chat and waits for the one under way. */
  stop(): Promise<void>;
  /** Looks at once, after a change of shifts was stored. */
  look(): void;
  /** When it last looked, in ms since 1970; null before the first time. */
  lookedAt(): number | null;
  /** Carries out every shift that changed; the number of roles. */
  runDue(): Promise<number>;
}

interface ClockDeps {
  readonly db: Database;
  readonly log: Log;
  readonly publish: Publish;
  readonly rightsChanged: (userId: string) => void | Promise<void>;
}

const EVERY_MS = 500;
/** A server that dies in the middle of a role leaves it to the others so much later. Nobody reads longer by it: the database asks the shifts. */
const LEASE_S = 30;
const PAGE = 100;

const turns = typedRows<{ role_id: string; due_at: string }>({ role_id: 'string', due_at: 'string' });
const chatIds = typedRows<{ chat_id: string }>({ chat_id: 'string' });

/**
 * Carries the changes of shifts out in the chats that on-call roles are in, with any number of other servers: a role is due at once
 * when its shifts change, and when one begins or ends by itself. Each chat is a transaction of its own.
 */
export function createRoleClock({ db, log, publish, rightsChanged }: ClockDeps): RoleClock {
  let every: NodeJS.Timeout | undefined;
  let isStopping = false;
  let isAskedAgain = false;
  let lookedAt: number | null = null;
  let underWay: Promise<number> | null = null;

  /** The next role that is due, leased; `due_at` as text keeps its microseconds. */
  async function claim() {
    const query = sql`
      update on_call_turns set due_at = clock_timestamp() + make_interval(secs => ${LEASE_S})
      where role_id = (
        select role_id from on_call_turns where due_at <= clock_timestamp()
        order by due_at limit 1 for no key update skip locked
      )
      returning role_id, due_at::text`;
    return turns.first(db, query);
  }

  /** Due again when the next shift begins or ends; at once where one changed while it was worked off. */
  async function release({ role_id, due_at }: { role_id: string; due_at: string }): Promise<void> {
    await sql`
      update on_call_turns set due_at = coalesce((
        select min(t) from on_call_shifts s cross join lateral (values (s.starts_at), (s.ends_at)) as edge (t)
        where s.role_id = ${role_id} and s.ends_at > clock_timestamp() and t > clock_timestamp()
      ), 'infinity')
      where role_id = ${role_id} and due_at = ${due_at}::timestamptz`.execute(db);
  }

  async function passRole(roleId: string): Promise<void> {
    const http = { ip: null, requestId: `role ${newId()}`, socketId: null };
    const write = createWrite({ actor: null, db, log, http }, publish);
    let after: string | null = null;
    while (!isStopping) {
      const page = await chatIds.read(
        db,
        sql`select chat_id from chat_roles
          where role_id = ${roleId} and ${after === null ? sql`true` : sql`chat_id > ${after}`} order by chat_id limit ${PAGE}`,
      );
      for (const { chat_id } of page) {
        await write('chat.role.pass', (tx) => passRolesOfChat(tx, chat_id, { rightsChanged }));
      }
      after = page.at(-1)?.chat_id ?? null;
      if (page.length < PAGE) return;
    }
  }

  async function work(): Promise<number> {
    for (let taken = 0; ; taken++) {
      isAskedAgain = false;
      const turn = isStopping ? undefined : await claim();
      lookedAt = Date.now();
      if (!turn) {
        if (!isAskedAgain || isStopping) return taken;
        continue;
      }
      await passRole(turn.role_id);
      if (!isStopping) await release(turn);
    }
  }

  function run(): Promise<number> {
    isAskedAgain = true;
    underWay ??= asSystem('clock', work).finally(() => {
      underWay = null;
    });
    return underWay;
  }

  const look = () =>
    void run().catch((error: unknown) =>
      log.warn({ err: error }, 'a change of shifts could not be carried out in chats'),
    );

  return {
    start() {
      every ??= setInterval(look, EVERY_MS).unref();
      look();
    },
    async stop() {
      isStopping = true;
      clearInterval(every);
      await underWay?.catch(() => undefined);
    },
    look: () => every && look(),
    lookedAt: () => lookedAt,
    runDue: run,
  };
}
