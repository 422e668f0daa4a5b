import type { FastifyInstance } from 'fastify';

/** Lets the routes of this scope take a form, as pusher-js sends to /broadcasting/*; everything else takes JSON only. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))));
  });
}
