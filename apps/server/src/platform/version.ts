import { version } from '../../package.json';

/** The version of the app that runs, as its changelog names it. */
export const VERSION = version;
