import { ClientConfig } from '@wardline/contract/config.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guest } from '#/testing/test-client.ts';
import { SAMPLE_PROVIDER, startTestServer, type TestServer } from '#/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    keepsMails: true,
    productName: 'Ward talk',
    signUp: 'open',
    oidc: [{ ...SAMPLE_PROVIDER, client_secret: 'secret-of-the-two', issuer: 'https://login.ward.example' }],
    contactEmail: 'desk@ward.example',
    securityContact: 'mailto:security@ward.example',
    location: { latitude: -90, longitude: 180 },
    mediaHost: 'https://media.ward.example',
    iconService: 'https://icons.ward.example',
    buildCheckIntervalS: 0,
    operatorEmail: 'secret-operator@ward.example',
  });
});
afterAll(() => server.close());

describe('/config.json', () => {
  it('CFG-5 tells the client what the server was told, in the form of the contract', async () => {
    const response = await guest(server).send('GET', '/config.json');
    expect(ClientConfig.parse(response.json())).toEqual(response.json());
    expect(response.json()).toMatchObject({
      product_name: 'Ward talk',
      sign_up: 'open',
      contact: { email: 'desk@ward.example', latitude: -90, longitude: 180 },
      images: { media_host: 'https://media.ward.example' },
      icons: { hosts: ['/icons/_nuxt_icon'] },
      mail: { is_sent: false },
      build_check_interval_s: 0,
      passkeys: { is_offered: true },
      sso: [{ id: 'hospital', label: 'Hospital account' }],
      notifications: { is_offered: true, push_key: expect.stringMatching(/^B[\w-]{86}$/) },
    });
  });

  it('CFG-5 A45 tells nothing that is the server’s alone', async () => {
    const { payload } = await guest(server).send('GET', '/config.json');
    expect(payload).not.toMatch(/secret-operator|icons\.ward|secret-of-the-two|login\.ward/);
  });
});

describe('/.well-known/security.txt', () => {
  it('names whom the finder of a weakness writes to, and is never older than it says (RFC 9116)', async () => {
    const answer = await guest(server).send('GET', '/.well-known/security.txt');
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    const fields = new Map(answer.body.split('\r\n').map((line) => line.split(': ', 2) as [string, string]));
    expect(fields.get('Contact')).toBe('mailto:security@ward.example');
    const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(88);
    expect(days).toBeLessThanOrEqual(90);
  });
});
