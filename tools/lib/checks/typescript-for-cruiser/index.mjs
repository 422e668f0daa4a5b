/**
 * What dependency-cruiser needs of `typescript`. TypeScript 7 has no JavaScript interface, so the imports are read
 * by the parser that Vite brings, and the "transpiled" file is only its imports: those of types as well.
 * Can go when dependency-cruiser reads TypeScript without the compiler's old interface.
 */
import { parseSync, Visitor } from 'vite';

export const version = '5.9.0';

/** Read when a module of the cruiser loads that is not used here. */
export const SyntaxKind = {};

export function transpileModule(source, { compilerOptions }) {
  // The caller gives no file name; only for .tsx it asks for JSX.
  const file = compilerOptions.jsx ? 'module.tsx' : 'module.ts';
  const { errors, module, program } = parseSync(file, source);
  if (errors.length > 0) throw new SyntaxError(errors.map((error) => error.message).join('\n'));
  const { staticImports, staticExports, dynamicImports } = module;
  const requests = [
    ...staticImports.map((one) => one.moduleRequest.value),
    ...staticExports.flatMap((one) => one.entries.map((entry) => entry.moduleRequest?.value)),
  ];
  // import('./x.ts').Type in a type position is in neither list.
  const addType = (node) => requests.push((node.source ?? node.argument)?.value);
  new Visitor({ TSImportType: addType }).visit(program);
  const lines = requests.filter(Boolean).map((request) => `import ${JSON.stringify(request)};`);
  const dynamic = dynamicImports.map((one) => source.slice(one.moduleRequest.start, one.moduleRequest.end));
  return { outputText: [...lines, ...dynamic.map((expression) => `import(${expression});`)].join('\n') };
}
