import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Where an installation keeps what its data folder does not hold any more. */
interface PlaceNote {
  readonly at: string;
  readonly since: string;
}

type Name = 'database' | 'bucket';

export const placeNoteFile = (dataDir: string, name: Name) => path.join(dataDir, `${name}.json`);

const CLOSED = ['EACCES', 'EPERM', 'EROFS'];

/** Keeps the place in the data folder, for starts whose settings lack it. A folder that takes no file holds no database either. */
export function keepPlaceNote(dataDir: string, name: Name, at: string): void {
  if (readPlaceNote(dataDir, name)?.at === at) return;
  const note: PlaceNote = { at, since: new Date().toISOString() };
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(placeNoteFile(dataDir, name), `${JSON.stringify(note)}\n`, { mode: 0o600 });
  } catch (error) {
    if (!CLOSED.includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}

export function readPlaceNote(dataDir: string, name: Name): PlaceNote | null {
  try {
    return JSON.parse(readFileSync(placeNoteFile(dataDir, name), 'utf8')) as PlaceNote;
  } catch (error) {
    return error instanceof SyntaxError ? { at: 'a place that cannot be read', since: 'then' } : null;
  }
}
