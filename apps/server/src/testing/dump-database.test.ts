import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { SCHEMA } from '#/app/start/places.ts';
import { withClient } from '#/platform/postgres/database-setup.ts';
import { seedDemo } from '../../seeds/demo-hospital.ts';
import { dumpDatabase, listTables } from './dump-database.ts';
import { emptyDatabase, testDatabase } from './test-database.ts';

it('F-S1 OPS-10 a dump with a row in every table makes the same database where it is replayed into an empty one', async () => {
  const [first, second] = [await testDatabase(2), await emptyDatabase()];
  try {
    await seedDemo(first.db, { password: '-', hashPassword: async () => '-', longChatMessages: 20, censusDays: 66 });
    // What the demo leaves empty, the upgrade fixture fills.
    await withClient(first.connectionString, async (client) => {
      await client.query(readFileSync(path.join(SCHEMA, 'fixtures', 'rows-beside-the-demo.sql'), 'utf8'));
      for (const table of await listTables(client)) {
        expect((await client.query(`select from ${client.escapeIdentifier(table)} limit 1`)).rowCount, table).toBe(1);
      }
    });
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
