import { expect, it } from 'vitest';
import { withClient } from '#/platform/postgres/database-setup.ts';
import { seedDemo } from '../../seeds/demo-hospital.ts';
import { dumpDatabase } from './dump-database.ts';
import { emptyDatabase, testDatabase } from './test-database.ts';

it('F-S1 OPS-10 a dump that is replayed into an empty database makes the same database', async () => {
  const [first, second] = [await testDatabase(2), await emptyDatabase()];
  try {
    await seedDemo(first.db, { password: '-', hashPassword: async () => '-', longChatMessages: 20, censusDays: 40 });
    const dump = await withClient(first.connectionString, dumpDatabase);
    const again = await withClient(second.connectionString, async (client) => {
      await client.query(dump);
      return dumpDatabase(client);
    });
    // AND in AND is written with other brackets once it was replayed.
    const comparable = (text: string) => text.replace(/[()]/g, '');
    expect(comparable(again) === comparable(dump)).toBe(true);
  } finally {
    await first.close();
    await second.close();
  }
});
