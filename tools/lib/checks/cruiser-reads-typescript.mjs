/** Preloaded (`node --import`) for dependency-cruiser: its `typescript` is the folder typescript-for-cruiser. */
import Module, { register } from 'node:module';
import { fileURLToPath } from 'node:url';

const standIn = (file) => new URL(`./typescript-for-cruiser/${file}`, import.meta.url);
const files = { typescript: 'index.mjs', 'typescript/package.json': 'package.json' };

// It asks for the version by require …
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function resolve(request, ...rest) {
  const file = files[request];
  return file ? fileURLToPath(standIn(file)) : resolveFilename.call(this, request, ...rest);
};

// … and loads the module by import.
const hook = `
  export function resolve(specifier, context, next) {
    if (specifier === 'typescript') return { url: ${JSON.stringify(standIn('index.mjs').href)}, shortCircuit: true };
    return next(specifier, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
