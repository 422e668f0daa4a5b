import { ConfigError } from '#/platform/config/read-config.ts';

/** The part of a `pg` client or pool that is needed here. */
export interface Queryable {
  query(text: string): Promise<{ rows: unknown[] }>;
}

const MUST_NOT_BE_OFF = ['synchronous_commit', 'fsync', 'full_page_writes'] as const;

/**
 * Refuses a server that may lose what it has acknowledged. The session's own values are read, so a setting
 * made for this role or database counts too. Throws an error that names the setting and the remedy.
 */
export async function assertDurable(connection: Queryable): Promise<void> {
  const names = MUST_NOT_BE_OFF.map((name) => `'${name}'`).join(', ');
  const { rows } = await connection.query(`select name, setting from pg_settings where name in (${names})`);
  const settings = new Map((rows as { name: string; setting: string }[]).map((row) => [row.name, row.setting]));
  const bad = MUST_NOT_BE_OFF.filter((name) => (settings.get(name) ?? 'off') === 'off');
  if (bad.length === 0) return;
  throw new ConfigError(
    `This PostgreSQL has ${bad.join(', ')} = off and can lose messages that were confirmed to their senders ` +
      'when it or the machine stops. Wardline refuses to run on it: switch it on in postgresql.conf, and look ' +
      'for ALTER ROLE or ALTER DATABASE … SET that switch it off.',
  );
}
