import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:tls';
import { Redis } from 'ioredis';
import { openFileStore } from '#/app/start/open-file-store.ts';
import { discoverProvider } from '#/features/auth/index.ts';
import { type Config, ConfigError, isLoopback } from '#/platform/config/read-config.ts';
import { findBucketFault } from '#/platform/files/s3/check-bucket.ts';
import { createS3Store } from '#/platform/files/s3/s3-store.ts';
import type { Log } from '#/platform/log.ts';
import { checkMailServer } from '#/platform/mail/smtp-mailer.ts';
import { createClamd } from '#/platform/malware/clamd.ts';
import { REACHED_PUSH_HOSTS } from '#/platform/push/push-hosts.ts';
import { reasonOf } from '#/platform/reason-of.ts';
import { error, type Finding, ok, refusal, warning } from './finding.ts';

const CONNECT_MS = 5_000;

/** What the server needs of others: where files are kept, and whom it sends mails, pushes and files to. */
export async function checkServices(config: Config, log: Log): Promise<Finding[]> {
  const found = await Promise.all([
    checkFiles(config, log),
    checkMail(config),
    checkPush(config),
    checkMalware(config),
    checkRedis(config),
    ...config.oidc.map(checkProvider),
  ]);
  return found.flat();
}

async function checkFiles(config: Config, log: Log): Promise<Finding[]> {
  if (config.s3 !== null) {
    const fault = await findBucketFault(createS3Store(config.s3, log));
    if (fault === null) return [ok(`Files can be stored and read in the bucket ${config.s3.bucket}.`)];
    return [error(`The bucket ${config.s3.bucket} cannot be used: ${fault.message}`, 'Look at the settings S3_….')];
  }
  if (!existsSync(config.dataDir)) return [];
  try {
    const files = await openFileStore(config, log);
    await files.probe();
    return [ok('Files can be stored in the data folder.')];
  } catch (failure) {
    // The bucket's settings are missing.
    if (failure instanceof ConfigError) return [refusal(failure)];
    return [error(`Files can be neither read nor stored: ${reasonOf(failure)}`, 'Look at the data folder.')];
  }
}

async function checkMail({ mailUrl }: Config): Promise<Finding[]> {
  if (mailUrl === null) {
    return [
      warning(
        'No mail server is set: invitations and links for passwords stay in a folder of this machine.',
        'Set WARDLINE_MAIL_URL and WARDLINE_MAIL_FROM.',
      ),
    ];
  }
  const { host } = new URL(mailUrl);
  try {
    await checkMailServer(mailUrl);
    return [ok(`The mail server ${host} takes the sign-in.`)];
  } catch (failure) {
    return [error(`The mail server ${host} cannot be used: ${reasonOf(failure)}`, 'Look at WARDLINE_MAIL_URL.')];
  }
}

async function checkPush({ pushHosts, contactEmail, operatorEmail, publicUrl }: Config): Promise<Finding[]> {
  if (pushHosts === null) return [ok('Nobody is told by push (WARDLINE_PUSH_HOSTS).')];
  const named = pushHosts.filter((host) => !host.includes('*'));
  const hosts = [...REACHED_PUSH_HOSTS, ...named];
  const outcomes = await Promise.all(hosts.map(async (host) => ({ host, failure: await failureOf(host) })));
  const unreached = outcomes.filter(({ failure }) => failure !== null);
  const hasContact = (contactEmail ?? operatorEmail) !== null || (publicUrl?.startsWith('https:') ?? false);
  return [
    unreached.length === 0
      ? ok(`The push services can be reached: ${hosts.join(', ')}.`)
      : warning(
          `Push services cannot be reached: ${unreached.map(({ host, failure }) => `${host} (${failure})`).join(', ')}.`,
          'Let the server out to them on port 443; until then people are not called there while the app is closed.',
        ),
    ...(hasContact
      ? []
      : [
          warning(
            'Push services have no address to write to if something is wrong; some refuse such pushes.',
            'Set WARDLINE_CONTACT_EMAIL or WARDLINE_OPERATOR_EMAIL.',
          ),
        ]),
  ];
}

/** Null where a TLS connection comes about. */
async function failureOf(host: string): Promise<string | null> {
  const socket = connect({ host, servername: host, port: 443 });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(CONNECT_MS) });
    return null;
  } catch (failure) {
    return socket.connecting ? 'it does not answer' : reasonOf(failure);
  } finally {
    socket.destroy();
  }
}

async function checkMalware({ clamd }: Config): Promise<Finding[]> {
  if (clamd === null) return [ok('Nothing looks for malware in files (WARDLINE_CLAMD).')];
  try {
    await createClamd(clamd).ping();
    return [ok('clamd looks for malware in files.')];
  } catch (failure) {
    return [error(`clamd does not answer, and new files wait: ${reasonOf(failure)}`, 'Look at WARDLINE_CLAMD.')];
  }
}

async function checkRedis({ redisUrl }: Config): Promise<Finding[]> {
  if (redisUrl === null) return [];
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null, connectTimeout: CONNECT_MS });
  // What `connect` rejects with says only that it is closed.
  let cause: unknown = null;
  redis.on('error', (failure) => {
    cause = failure;
  });
  try {
    await redis.connect();
    await redis.ping();
    return [ok('Redis answers, by which the servers hear each other.')];
  } catch (failure) {
    return [
      error(
        `Redis does not answer, so that the servers take no sockets: ${reasonOf(cause ?? failure)}`,
        'Look at REDIS_URL and at the Redis that it names.',
      ),
    ];
  } finally {
    redis.disconnect();
  }
}

async function checkProvider(provider: Config['oidc'][number]): Promise<Finding[]> {
  const { id, issuer } = provider;
  try {
    await discoverProvider(provider);
    return [ok(`${issuer} answers for single sign-on ('${id}').`)];
  } catch (failure) {
    const remedy = isLoopback(new URL(issuer).hostname)
      ? 'Is it running?'
      : 'Look at WARDLINE_OIDC and at the way there.';
    return [error(`Single sign-on ('${id}') cannot be used: ${issuer}: ${reasonOf(failure)}`, remedy)];
  }
}
