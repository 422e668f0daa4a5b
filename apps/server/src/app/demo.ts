import { createPasswords } from '#/features/auth/index.ts';
import type { Database } from '#/platform/db/database.ts';
import { isEmpty, seedDemo } from '../../seeds/demo-hospital.ts';

/** The accounts that are printed at start; scripts may rely on the addresses. */
export const DEMO_SIGN_INS = [
  { email: 'doctor@demo.test', who: 'medical registrar' },
  { email: 'nurse@demo.test', who: 'charge nurse of two units, in both facilities' },
  { email: 'officer@demo.test', who: 'census officer' },
  { email: 'owen.hart@demo.test', who: 'house supervisor, who reports for every unit' },
  { email: 'admin@demo.test', who: 'facility administrator' },
  { email: 'visitor@demo.test', who: 'member of the second facility only' },
  { email: 'newcomer@demo.test', who: 'no facility yet' },
  { email: 'operator@demo.test', who: 'system administrator' },
] as const;

export async function hasDemoAccounts(db: Database): Promise<boolean> {
  const found = await db.selectFrom('users').select('id').where('is_demo', '=', true).limit(1).executeTakeFirst();
  return found !== undefined;
}

/** Fills an empty database with the demo hospital; in one that has it, gives its accounts the password that is printed. */
export async function loadDemo(
  db: Database,
  { appKey, password }: { appKey: string; password: string },
): Promise<void> {
  const passwords = createPasswords(Buffer.from(appKey));
  if (await isEmpty(db)) {
    await seedDemo(db, { password, hashPassword: (text) => passwords.hash(text) });
    return;
  }
  const [known] = await db
    .selectFrom('users')
    .select('password_hash')
    .where('is_demo', '=', true)
    .where('disabled_at', 'is', null)
    .limit(1)
    .execute();
  if (known === undefined || (await passwords.verify(known.password_hash, password))) return;
  const changed = { password_hash: await passwords.hash(password) };
  await db.updateTable('users').set(changed).where('is_demo', '=', true).where('disabled_at', 'is', null).execute();
}
