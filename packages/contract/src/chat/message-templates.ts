import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { Cursor, Id, LimitQuery, NoContent, Nothing, Page, SeqQuery, Text } from '../values.ts';

/** So many at most has a facility: a page has room for all of them. */
export const MESSAGE_TEMPLATES_MAX = 50;
export const TEMPLATE_TITLE_MAX = 60;
export const TEMPLATE_BODY_MAX = 4000;

/** A text of a facility that its members begin a message with. */
export const MessageTemplate = z.object({ id: Id, title: z.string(), body: z.string(), version: z.int() });
export type MessageTemplate = z.infer<typeof MessageTemplate>;

const facilityParams = z.strictObject({ facility: Id });
const templateParams = z.strictObject({ facility: Id, template: Id });
const Title = Text(1, TEMPLATE_TITLE_MAX);
const Body = Text(1, TEMPLATE_BODY_MAX);

export const listMessageTemplates = endpoint({
  name: 'listMessageTemplates',
  summary: 'The message templates of a facility in the order in which they were made.',
  method: 'GET',
  path: '/api/facilities/{facility}/message-templates',
  access: 'signed-in',
  params: facilityParams,
  query: z.strictObject({ cursor: z.optional(Cursor), limit: z.optional(LimitQuery) }),
  body: Nothing,
  status: 200,
  reply: Page(MessageTemplate),
});

export const createMessageTemplate = endpoint({
  name: 'createMessageTemplate',
  summary: 'Adds a message template to a facility, which has 50 at most.',
  method: 'POST',
  path: '/api/facilities/{facility}/message-templates',
  access: 'signed-in',
  params: facilityParams,
  query: Nothing,
  body: z.strictObject({ title: Title, body: Body }),
  status: 201,
  reply: MessageTemplate,
});

export const updateMessageTemplate = endpoint({
  name: 'updateMessageTemplate',
  summary: 'Changes title and text of a message template. 409 when it was changed since.',
  method: 'PUT',
  path: '/api/facilities/{facility}/message-templates/{template}',
  access: 'signed-in',
  params: templateParams,
  query: Nothing,
  body: z.strictObject({ expected_version: z.int(), title: Title, body: Body }),
  status: 200,
  reply: MessageTemplate,
});

export const deleteMessageTemplate = endpoint({
  name: 'deleteMessageTemplate',
  summary: 'Deletes a message template; messages that began with it stay. 409 when it was changed since.',
  method: 'DELETE',
  path: '/api/facilities/{facility}/message-templates/{template}',
  access: 'signed-in',
  params: templateParams,
  query: z.strictObject({ expected_version: SeqQuery }),
  body: Nothing,
  status: 204,
  reply: NoContent,
});

export const messageTemplateEndpoints = [
  listMessageTemplates,
  createMessageTemplate,
  updateMessageTemplate,
  deleteMessageTemplate,
] as const;
