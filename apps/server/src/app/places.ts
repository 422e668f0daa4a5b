import path from 'node:path';

/** The server's folder, from its sources as from its bundle. */
const SERVER = path.join(import.meta.dirname, path.basename(import.meta.dirname) === 'dist' ? '..' : '../..');

export const MIGRATIONS = path.join(SERVER, 'migrations');

/** The built web client. */
export const WEB_ROOT = path.join(SERVER, '../web/dist');
