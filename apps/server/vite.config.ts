import { defineConfig } from 'vite';

/** Bundles the server's own TypeScript into one file; packages of npm stay where npm put them. */
export default defineConfig({
  build: {
    ssr: 'src/app/main.ts',
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'main.js' } },
  },
  ssr: { noExternal: [/^@wardline\//] },
});
