import path from 'node:path';

/** The server's folder, from its sources as from its bundle. */
const SERVER = path.join(import.meta.dirname, path.basename(import.meta.dirname) === 'dist' ? '..' : '../../..');

/** Holds migrations/ and functions/. */
export const SCHEMA = path.join(SERVER, 'db');

/** The built web client. */
export const WEB_ROOT = path.join(SERVER, '../web/dist');
