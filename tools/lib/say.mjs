const colour = (code) => (text) => (process.stdout.isTTY ? `\u001b[${code}m${text}\u001b[0m` : text);

export const bold = colour(1);
export const red = colour(31);
export const green = colour(32);
export const yellow = colour(33);

export const say = (text) => process.stdout.write(`${text}\n`);

class Failure extends Error {}

/** Ends the tool with a sentence instead of a stack; locks are given back on the way out. */
export function fail(text) {
  throw new Failure(text);
}

process.on('uncaughtException', (error) => {
  process.stderr.write(`${red('error')} ${error instanceof Failure ? error.message : error.stack}\n`);
  process.exit(1);
});
