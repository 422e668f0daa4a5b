import { randomBytes } from 'node:crypto';
import { copyFile } from '#/features/own-data/copy-queries.ts';
import { createDiskStore } from '#/platform/files/file-store.ts';
import { newId } from '#/platform/new-id.ts';
import type { World } from './contract-world.ts';
import type { Sample } from './sample.ts';

/** For each endpoint of copies of one's own data a request of who has every right of ours. */
export const OWN_DATA_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  requestDataCopy: async ({ server }) => {
    // As if nobody had asked today.
    await server.db.deleteFrom('own_data_copies').execute();
    return {};
  },
  getRecorded: async () => ({}),
  listDataCopies: async () => ({}),
  getAccountDeletion: async () => ({}),
  // Nobody's address: whoever asks is asked about again.
  deleteAccount: async () => ({ body: { email: 'nobody@people.test' } }),
  downloadDataCopy: async ({ server, ours }) => {
    const copy = { id: newId(), key: randomBytes(16).toString('base64url') };
    const ready = { ready_at: new Date(), expires_at: new Date(Date.now() + 3_600_000), bytes: 2, is_complete: true };
    await createDiskStore(server.filesRoot).put(copyFile(copy.key), Buffer.from('{}'));
    await server.db
      .insertInto('own_data_copies')
      .values({ ...copy, ...ready, user_id: ours.entitled.id })
      .execute();
    return { params: { copy: copy.id } };
  },
};
