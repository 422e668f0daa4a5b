import path from 'node:path';
import { type Config, ConfigError } from '#/platform/config/read-config.ts';
import { createDiskStore, type FileStore } from '#/platform/files/file-store.ts';
import { findBucketFault } from '#/platform/files/s3/check-bucket.ts';
import { createS3Store } from '#/platform/files/s3/s3-store.ts';
import type { Log } from '#/platform/log.ts';

export function localFiles(config: Pick<Config, 'dataDir'>): FileStore {
  return createDiskStore(path.join(config.dataDir, 'files'));
}

/**
 * The store that the settings name. A bucket is tried first: settings that cannot work end the start; one that does not answer just
 * now does not, since messages must go on without it.
 */
export async function openFileStore(config: Pick<Config, 'dataDir' | 's3'>, log: Log): Promise<FileStore> {
  if (config.s3 === null) return localFiles(config);
  const store = createS3Store(config.s3, log);
  const fault = await findBucketFault(store);
  if (fault?.isPassing) log.error({ code: fault.code }, `the object storage cannot be used now: ${fault.message}`);
  else if (fault)
    throw new ConfigError(`The object storage cannot be used: ${fault.message}\nSee docs/configuration.md.`);
  return store;
}
