import type { IncomingMessage } from 'node:http';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
// By its path: what is named as a package Vite leaves to Node when it reads this file, and that knows no TypeScript.
import { BACK_END_ADDRESSES, isOfBackEnd } from '../../packages/contract/src/back-end-addresses.ts';
import { leaveOutMutations } from './tools/leave-out-mutations.ts';
import { leaveOutSummaries } from './tools/leave-out-summaries.ts';
import { minifyPublic } from './tools/minify-public.ts';
import { pdfFiles } from './tools/pdf-files.ts';
import { plainIcons } from './tools/plain-icons.ts';
import { precompress } from './tools/precompress.ts';
import { renderAhead } from './tools/prerender-pages.ts';
import { sharedFiles } from './tools/shared-files.ts';
import { stampBuild } from './tools/stamp-build.ts';

const server = `http://127.0.0.1:${process.env['PORT'] ?? 8080}`;
const ONLINE_ONLY = new Set(['encrypted-channels', 'pdf-file']);

/** What is no page and no source is the server's, as behind the proxy of docs/laravel.md. */
function bypass({ method = 'GET', url = '/' }: IncomingMessage): string | undefined {
  const path = url.replace(/\?.*$/, '');
  return path === '/config.json' || isOfBackEnd(BACK_END_ADDRESSES, method, path) ? undefined : url;
}

const stamp = stampBuild();

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // One file for a page and what it shows when it fails: the entry names every file.
      codeSplittingOptions: { defaultBehavior: [['component', 'errorComponent']] },
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/routeTree.gen.ts',
      addExtensions: true,
      quoteStyle: 'single',
      semicolons: true,
    }),
    react(),
    leaveOutSummaries(),
    leaveOutMutations(),
    plainIcons(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src',
      filename: 'sw.ts',
      registerType: 'prompt',
      // Registration is packages/client/src/pwa/service-worker.ts, the manifest is public/manifest.webmanifest.
      injectRegister: false,
      manifest: false,
      injectManifest: {
        globPatterns: [
          '**/*.{html,js,css,webmanifest}',
          '**/_payload.json',
          'assets/inter-latin{,-ext}-wght-normal-*.woff2',
          'icons/*.{svg,png}',
        ],
        globIgnores: ['assets/online-*', 'assets/online-*/**'],
        manifestTransforms: [stamp.namePayloads],
      },
    }),
    minifyPublic(),
    pdfFiles(),
    renderAhead(),
    stamp.plugin,
    precompress(),
  ],
  resolve: {
    // React has useSyncExternalStore itself: the stand-in for older ones stays out of the first visit.
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  build: {
    target: 'es2022',
    manifest: true,
    // A strict content policy has no place for data: addresses and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The entry names every chunk: names in words would cost the first visit half a kilobyte, a longer hash a quarter. The
      // manifest says which is which.
      output: {
        codeSplitting: { groups: sharedFiles },
        // What is of no use without a network is not kept on the device.
        chunkFileNames: ({ name }) => (ONLINE_ONLY.has(name) ? 'assets/online-[hash:7].js' : 'assets/[hash:7].js'),
        assetFileNames: ({ names: [name = ''] }) =>
          name.endsWith('.css') ? 'assets/[hash:7].css' : 'assets/[name]-[hash][extname]',
      },
      // Our modules do nothing by being imported, main.tsx apart: what of a feature's door is not used is left out.
      treeshake: {
        moduleSideEffects: [{ test: /\/(apps\/web|packages\/[^/]+)\/src\/(?!.*\.css$)/, sideEffects: false }],
      },
    },
  },
  // Workers open what needs a network.
  worker: {
    format: 'es',
    rolldownOptions: {
      output: { entryFileNames: 'assets/online-[name]-[hash:7].js', chunkFileNames: 'assets/online-[hash:7].js' },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: {
      '^/app/': { target: server, ws: true },
      '^/': { target: server, bypass },
    },
  },
});
