import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { precompress } from './tools/precompress.ts';

const server = 'http://127.0.0.1:8080';
const proxied = ['/api', '/login', '/logout', '/sanctum', '/broadcasting', '/config.json'];

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/routeTree.gen.ts',
      addExtensions: true,
      quoteStyle: 'single',
      semicolons: true,
    }),
    react(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src',
      filename: 'sw.ts',
      registerType: 'prompt',
      // Registration is src/app/register-service-worker.ts, the manifest is public/manifest.webmanifest.
      injectRegister: false,
      manifest: false,
      injectManifest: {
        globPatterns: [
          '**/*.{html,js,css,webmanifest}',
          'assets/inter-latin{,-ext}-wght-normal-*.woff2',
          'icons/*.{svg,png}',
        ],
      },
    }),
    precompress(),
  ],
  build: {
    target: 'es2022',
    manifest: true,
    // A strict content policy has no place for data: addresses and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: {
      ...Object.fromEntries(proxied.map((path) => [path, { target: server }])),
      '/app': { target: server, ws: true },
    },
  },
});
