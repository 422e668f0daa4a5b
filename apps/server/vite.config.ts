import { defineConfig } from 'vite';

/** Bundles the server's own TypeScript, and the processes that decode pictures, read files and write PDFs; packages of npm stay where npm put them. */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      input: {
        main: 'src/app/main.ts',
        'image-worker': 'src/platform/images/worker.ts',
        'file-reader-worker': 'src/features/census/import-export/file-reader-worker.ts',
        'record-pdf-worker': 'src/features/chat/record-export/record-pdf-worker.ts',
      },
      // All in one folder, since the server finds its own by where it runs from.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
  ssr: { noExternal: [/^@wardline\//] },
});
