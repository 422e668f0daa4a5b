import { SCIM_ROOT } from '@wardline/contract/account/scim.ts';
import { GROUP_SCHEMA, USER_SCHEMA } from './resources.ts';

const SCHEMA_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';
export const MOST_RESULTS = 200;

/** What this server takes of SCIM (RFC 7643, section 5). */
export function serviceConfig(origin: string) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MOST_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'SCIM token',
        description: 'A token of the facility, made in its settings, as Authorization: Bearer.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${origin}${SCIM_ROOT}/ServiceProviderConfig` },
  };
}

export function resourceTypes(origin: string) {
  const type = (id: string, { endpoint, schema }: { endpoint: string; schema: string }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    ...{ id, name: id, endpoint, schema },
    meta: { resourceType: 'ResourceType', location: `${origin}${SCIM_ROOT}/ResourceTypes/${id}` },
  });
  return [
    type('User', { endpoint: '/Users', schema: USER_SCHEMA }),
    type('Group', { endpoint: '/Groups', schema: GROUP_SCHEMA }),
  ];
}

interface AttributeOptions {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference';
  readonly required?: boolean;
  readonly multiValued?: boolean;
  readonly mutability?: 'readWrite' | 'readOnly';
  readonly uniqueness?: 'none' | 'server';
  readonly subAttributes?: readonly unknown[];
}

function attribute(name: string, options: AttributeOptions = {}) {
  const {
    type = 'string',
    required = false,
    multiValued = false,
    mutability = 'readWrite',
    uniqueness = 'none',
  } = options;
  const shown = { name, type, multiValued, required, caseExact: false, mutability, returned: 'default', uniqueness };
  return options.subAttributes ? { ...shown, subAttributes: options.subAttributes } : shown;
}

/** The attributes that are kept; others may be sent and are left aside. */
export function schemas(origin: string) {
  const schema = (id: string, name: string, attributes: readonly unknown[]) => ({
    schemas: [SCHEMA_SCHEMA],
    ...{ id, name, attributes },
    meta: { resourceType: 'Schema', location: `${origin}${SCIM_ROOT}/Schemas/${id}` },
  });
  const member = [attribute('value'), attribute('display', { mutability: 'readOnly' })];
  return [
    schema(USER_SCHEMA, 'User', [
      attribute('userName', { required: true, uniqueness: 'server' }),
      attribute('externalId'),
      attribute('displayName'),
      attribute('name', {
        type: 'complex',
        subAttributes: [attribute('formatted'), attribute('givenName'), attribute('familyName')],
      }),
      attribute('title'),
      attribute('emails', {
        ...{ type: 'complex', multiValued: true },
        subAttributes: [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })],
      }),
      attribute('active', { type: 'boolean' }),
      attribute('groups', { type: 'complex', multiValued: true, mutability: 'readOnly', subAttributes: member }),
    ]),
    schema(GROUP_SCHEMA, 'Group', [
      attribute('displayName', { required: true, mutability: 'readOnly', uniqueness: 'server' }),
      attribute('members', { type: 'complex', multiValued: true, subAttributes: member }),
    ]),
  ];
}
