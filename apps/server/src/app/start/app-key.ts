import path from 'node:path';
import type { Config } from '#/platform/config/read-config.ts';
import { ConfigError } from '#/platform/config/read-config.ts';
import { hasSecret, readOrMakeSecret, secretPath } from '#/platform/config/secrets.ts';
import type { Database } from '#/platform/db/database.ts';

/**
 * The installation's key: the configured one, else that of the data folder, made at the first start. Over a database with
 * accounts a missing one is a lost one, and is never replaced silently. The demo's accounts get a password at every start.
 */
export async function readAppKey(config: Pick<Config, 'appKey' | 'dataDir'>, db: Database): Promise<string> {
  if (config.appKey !== null) return config.appKey;
  if (!hasSecret(config.dataDir, 'app-key') && (await hasAccounts(db))) {
    const file = secretPath(config.dataDir, 'app-key');
    throw new ConfigError(
      `The app key is lost: the database has accounts, but ${file} is missing and WARDLINE_APP_KEY is not set.\n` +
        'See first whether WARDLINE_DATA names the data folder of this installation: the key is in it.\n' +
        'Without it no password fits any more, links that were mailed have no force, the feed of the patient system must be\n' +
        'set up again, and what devices keep unsent and encrypted cannot be opened.\n' +
        'To restore it, put the file back from the backup of the data folder (mode 600), or set WARDLINE_APP_KEY.\n' +
        'To accept the loss, make a new key, after which everybody sets a new password by "Forgot password":\n' +
        `  (umask 077; mkdir -p '${path.dirname(file)}'; openssl rand -base64 32 > '${file}')`,
    );
  }
  return readOrMakeSecret(config.dataDir, 'app-key');
}

async function hasAccounts(db: Database): Promise<boolean> {
  const found = db
    .selectFrom('users')
    .select('id')
    .where('is_demo', '=', false)
    .where('disabled_at', 'is', null)
    .limit(1);
  return (await found.executeTakeFirst()) !== undefined;
}
