/**
 * What in npm's lock file nobody has agreed to, a sentence each (A50): a package that is not in the reviewed list, comes from elsewhere than a registry, has no hash to
 * be compared with, or runs a script at installation that `allowScripts` does not name.
 * @param {{packages: Record<string, object>}} lock `package-lock.json` as it was read
 * @param {{reviewed: ReadonlySet<string>, allowScripts: Record<string, boolean>}} agreed
 */
export function findLockFileProblems(lock, { reviewed, allowScripts }) {
  const problems = [];
  const seen = new Set();
  for (const { place, name, entry } of packagesOf(lock)) {
    seen.add(name);
    if (!reviewed.has(name)) problems.push(`${name} is new here: nobody has looked at it yet.`);
    if (isFromElsewhere(entry))
      problems.push(`${name} (${place}) comes from ${entry.resolved ?? entry.version}, which is no registry.`);
    // What a package brings in its own archive is in the hash of that; a folder has none.
    if (!entry.integrity && !entry.inBundle && !entry.link) problems.push(`${name} (${place}) has no hash.`);
    if (entry.hasInstallScript && !Object.hasOwn(allowScripts, name))
      problems.push(`${name} runs a script when it is installed, which allowScripts of package.json does not name.`);
  }
  for (const name of reviewed) if (!seen.has(name)) problems.push(`${name} is in the list and no longer needed.`);
  return [...new Set(problems)];
}

/** The names of all packages of the lock file, each once, sorted. */
export function namesIn(lock) {
  return [...new Set(packagesOf(lock).map(({ name }) => name))].sort();
}

/** What is installed: not our own workspaces, nor the links to them. A folder outside the project is linked to as well. */
function packagesOf({ packages }) {
  return Object.entries(packages).flatMap(([place, entry]) => {
    const name = entry.name ?? place.split('node_modules/').at(-1);
    const isOurs = entry.link && !isOutside(entry.resolved);
    return isOurs || !place.includes('node_modules/') ? [] : [{ place, name, entry }];
  });
}

const isOutside = (folder) => /^(\.\.|\/|[A-Za-z]:)/.test(folder ?? '');

/** A registry's address ends as its packages do. */
function isFromElsewhere({ resolved, version, link }) {
  return (
    link ||
    !/^\d+\.\d+\.\d+/.test(version ?? '') ||
    !(resolved === undefined || /^https:\/\/[^/]+\/.*\/-\/[^/]+\.tgz$/.test(resolved))
  );
}
