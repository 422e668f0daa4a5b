// Works off one file of people in a process that a test kills: the connection, and the id of the import.
import { createDatabase } from '#/platform/db/database.ts';
import { createLog } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { invitePeople } from '../invite-people.ts';

const [connectionString = '', importId = ''] = process.argv.slice(2);
const log = createLog('silent');
const db = createDatabase(connectionString, log, { poolSize: 2 });
await invitePeople({ import_id: importId }, { db, log, jobId: newId() });
await db.destroy();
