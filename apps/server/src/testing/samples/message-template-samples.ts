import { randomUUID } from 'node:crypto';
import { makeMessageTemplate } from '#/testing/factories/message-templates.ts';
import type { World } from './contract-world.ts';
import type { Sample } from './sample.ts';

const newTitle = (marker: string) => `Template ${marker} ${randomUUID().slice(0, 8)}`;

/** A template of our facility, as it was made. */
async function newTemplate({ server, ours }: World): Promise<{ facility: string; template: string }> {
  const template = await makeMessageTemplate(server.db, {
    ...{ facilityId: ours.facility.id, userId: ours.entitled.id, title: newTitle(ours.marker) },
  });
  return { facility: ours.facility.id, template };
}

/** For each endpoint of message templates a request about our facility. */
export const MESSAGE_TEMPLATE_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  listMessageTemplates: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { limit: '200' } }),
  createMessageTemplate: async ({ ours }) => ({
    params: { facility: ours.facility.id },
    body: { title: newTitle(ours.marker), body: `**Bed:** ${ours.marker}` },
  }),
  updateMessageTemplate: async (world) => ({
    params: await newTemplate(world),
    body: { expected_version: 1, title: newTitle(world.ours.marker), body: `**Bed:** ${world.ours.marker}` },
  }),
  deleteMessageTemplate: async (world) => ({ params: await newTemplate(world), query: { expected_version: '1' } }),
};
