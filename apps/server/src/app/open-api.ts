import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import { ErrorBody } from '@wardline/contract/errors.ts';
import * as z from 'zod/mini';

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** The contract as an OpenAPI 3.1 document, made from the endpoints themselves. */
export function openApiDocument() {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wardline',
      version: '1',
      description: 'Hospital chat: facilities, chats, messages, realtime authorisation.',
    },
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'wardline_session' },
        token: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operation(endpoint: AnyEndpoint) {
  const body = schemaOf(endpoint.body, 'input');
  const hasBody = endpoint.status !== 204 && endpoint.status !== 302;
  const errorBody = json({ $ref: '#/components/schemas/Error' });
  const reply = hasBody ? json(schemaOf(endpoint.reply, 'output')) : undefined;
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    security: endpoint.access === 'public' ? [] : [{ session: [] }, { token: [] }],
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(Object.keys(body.properties ?? {}).length > 0 && { requestBody: { required: true, content: json(body) } }),
    ...(endpoint.file !== undefined && { requestBody: { required: true, content: upload(endpoint.file) } }),
    responses: {
      [endpoint.status]: {
        description: 'Done.',
        ...(reply && { content: reply }),
        ...(endpoint.status === 302 && { headers: { Location: { schema: { type: 'string' } } } }),
      },
      ...(endpoint.asksPassword && { 423: { description: 'Confirm the password first.', content: errorBody } }),
      default: { description: 'Refused or failed.', content: errorBody },
    },
  };
}

function parameters(schema: z.ZodMiniType, place: 'path' | 'query') {
  const { properties = {}, required = [] } = schemaOf(schema, 'input');
  return Object.entries(properties).map(([name, of]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: of,
  }));
}

function json(schema: unknown) {
  return { 'application/json': { schema } };
}

function upload(field: string) {
  const properties = { [field]: { type: 'string', format: 'binary' } };
  return { 'multipart/form-data': { schema: { type: 'object', properties, required: [field] } } };
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Schema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' }) as Schema;
}
