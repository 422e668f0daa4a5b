/** The endpoint; the product's Fastify without it; a bare Fastify; what Node itself can do. The last three read the body and answer `{}`. */
export const triggerServers = ['wardline', 'edge', 'fastify', 'node:http'] as const;
export type TriggerServer = (typeof triggerServers)[number];

export const APP = { id: '4711', key: 'bench', secret: 'a secret of the bench, of 32 characters' };
