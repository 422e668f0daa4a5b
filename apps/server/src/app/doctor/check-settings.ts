import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isUnencrypted } from '#/features/system/index.ts';
import { type Config, isLoopback, SECRET_NAMES, SETTING_NAMES } from '#/platform/config/read-config.ts';
import { secretPath } from '#/platform/config/secrets.ts';
import { error, type Finding, ok, warning } from './finding.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const FILE_NAMES = SECRET_NAMES.map((name) => `${name}_FILE`);
const KNOWN = new Set<string>([...SETTING_NAMES, ...FILE_NAMES]);

/** What the settings say that will not do what is meant, or leaves somebody without what they need. */
export function checkSettings(config: Config, environment: Environment): Finding[] {
  const given = Object.keys(environment).filter((name) => KNOWN.has(name));
  return [
    ok(`The settings can be read; ${given.length} of them are given.`),
    ...unknownSettings(environment),
    ...readableSecrets(config, environment),
    ...addressFindings(config),
    ...(config.redisUrl !== null && config.s3 === null
      ? [
          warning(
            'Several servers keep their files in a data folder: what one stores the others find in the same folder only.',
            'Give them a bucket (S3_BUCKET), or one data folder for all on this machine.',
          ),
        ]
      : []),
    ...(config.securityContact === null
      ? [
          warning(
            'Nobody is named to whom a weakness can be told.',
            'Set WARDLINE_SECURITY_CONTACT, such as mailto:security@hospital.example.',
          ),
        ]
      : []),
  ];
}

/** A name that is not quite a setting would be ignored silently. */
function unknownSettings(environment: Environment): Finding[] {
  const unknown = Object.keys(environment).filter((name) => /^(WARDLINE|S3)_/i.test(name) && !KNOWN.has(name));
  return unknown.map((name) => {
    const meant = [...KNOWN].find((known) => plain(known) === plain(name));
    return warning(
      `${name} is no setting, and does nothing.`,
      meant ? `It may be meant as ${meant}.` : 'docs/configuration.md has all settings.',
    );
  });
}

const plain = (name: string) => name.toUpperCase().replaceAll('_', '');

/** The server's own secrets, which it refuses then, and those that the settings name. */
function readableSecrets({ dataDir }: Config, environment: Environment): Finding[] {
  const folder = path.dirname(secretPath(dataDir, '-'));
  const own = existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
  const named = FILE_NAMES.flatMap((name) => environment[name] ?? []);
  const isReadable = (file: string) => existsSync(file) && (statSync(file).mode & 0o077) !== 0;
  const remedy = (file: string) => `Run: chmod 600 '${file}', and replace the secret if the machine has other users.`;
  return [
    ...own.filter(isReadable).map((file) => error(`The secret ${file} can be read by others.`, remedy(file))),
    ...named.filter(isReadable).map((file) => warning(`The secret ${file} can be read by others.`, remedy(file))),
  ];
}

function addressFindings({ host, publicUrl, trustedProxyHops }: Config): Finding[] {
  if (publicUrl === null) {
    if (isLoopback(host))
      return [warning('Only this machine can reach the server.', 'Set HOST, or a proxy and WARDLINE_PUBLIC_URL.')];
    return [
      warning(
        `The server listens on ${host} without HTTPS: nothing works offline, and anybody on the network reads along.`,
        'Put a reverse proxy with TLS before it, and set WARDLINE_PUBLIC_URL and WARDLINE_TRUSTED_PROXY_HOPS=1.',
      ),
    ];
  }
  if (isUnencrypted(publicUrl))
    return [error(`${publicUrl} is not encrypted.`, 'Use an https address for WARDLINE_PUBLIC_URL.')];
  if (publicUrl.startsWith('https:') && trustedProxyHops === 0) {
    return [
      warning(
        'No proxy is declared, though the address is https: limits count all people as one address.',
        'Set WARDLINE_TRUSTED_PROXY_HOPS to how many proxies stand before the server, mostly 1.',
      ),
    ];
  }
  return [];
}
