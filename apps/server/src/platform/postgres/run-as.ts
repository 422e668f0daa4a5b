import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';

/** How a PostgreSQL program is started so that it does not run as root, which it refuses. */
export interface RunAs {
  readonly how: 'directly' | 'user-namespace' | 'other-user';
  /** Put before the program and its arguments. */
  readonly prefix: readonly string[];
  /** Set when the process changes its user; files it must own are handed over to this user. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

// Inside the namespace root appears as "nobody"; outside, files stay root's and no user is added to the system.
const USER_NAMESPACE = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'] as const;

/**
 * An ordinary user runs the programs directly. Root runs them in a user namespace, which also works below a
 * closed home, or as the user who owns the cluster, or as an unprivileged user who is given the cluster.
 */
export function chooseRunAs(
  dataDir: string,
  clusterDir: string,
  program: string,
  namespaceWorks: () => boolean = userNamespaceWorks,
): RunAs {
  if (process.getuid?.() !== 0) return { how: 'directly', prefix: [] };
  const owner = existsSync(clusterDir) ? statSync(clusterDir) : null;
  if (owner !== null && owner.uid !== 0) {
    return checked({ how: 'other-user', prefix: [], user: { uid: owner.uid, gid: owner.gid } }, dataDir, program);
  }
  if (namespaceWorks()) return { how: 'user-namespace', prefix: USER_NAMESPACE };
  // Passable, not readable: the other user must reach the cluster inside; secrets/ stays closed.
  chmodSync(dataDir, 0o711);
  return checked({ how: 'other-user', prefix: [], user: unprivilegedUser() }, dataDir, program);
}

function userNamespaceWorks(): boolean {
  const [unshare, ...flags] = USER_NAMESPACE;
  return spawnSync(unshare, [...flags, 'true'], { stdio: 'ignore' }).status === 0;
}

function unprivilegedUser(): { uid: number; gid: number } {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  return { uid: 65534, gid: 65534 };
}

/** Both the program and the data folder must be reachable for that user. */
function checked(runAs: RunAs, dataDir: string, program: string): RunAs {
  const options = { ...runAs.user, cwd: '/', stdio: 'ignore' } as const;
  const runs = spawnSync(program, ['--version'], options).status === 0;
  if (runs && spawnSync('test', ['-x', dataDir], options).status === 0) return runAs;
  throw new Error(
    'PostgreSQL does not run as root. Here neither a user namespace (unshare --user) is allowed, nor can user ' +
      `${runAs.user?.uid} reach both ${program} and ${dataDir}. Start Wardline as an ordinary user, move the data ` +
      'folder (WARDLINE_DATA) to a place that user can enter, or set DATABASE_URL.',
  );
}
