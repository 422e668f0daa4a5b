import type { AnyEndpoint } from '@wardline/contract/endpoint.ts';
import { endpoints } from '@wardline/contract/endpoints.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientFor, sampleOf, sendSample } from '#/testing/samples/contract-samples.ts';
import { makeWorld, type World } from '#/testing/samples/contract-world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.server.close());

const has = (schema: unknown, key: string) => key in ((schema as { shape?: object }).shape ?? {});
const isPaged = ({ query, reply }: AnyEndpoint) => has(query, 'cursor') && has(reply, 'next_cursor');
const lists = endpoints.filter(isPaged);

/** Of which the world has too few rows: what makes more, an act that is sent or what its sample alone makes. */
const FILLED_BY: Readonly<Record<string, { readonly sent: string } | { readonly made: string }>> = {
  listAudit: { sent: 'createInvitation' },
  listAllFacilities: { sent: 'createFacility' },
  listOnCallRoles: { made: 'planShift' },
  listInvitations: { sent: 'createInvitation' },
  listInvitationImports: { made: 'exportInvitationImport' },
  listDeadJobs: { made: 'retryJob' },
  listChats: { sent: 'createChat' },
  listParticipants: { sent: 'addParticipant' },
  listEmergencyAccesses: { sent: 'openInEmergency' },
  listLegalHolds: { sent: 'placeLegalHold' },
  listUrgent: { made: 'acceptUrgent' },
  listMessageTemplates: { sent: 'createMessageTemplate' },
  search: { sent: 'sendMessage' },
  listExaminations: { made: 'listReportVersions' },
  listExaminationForms: { made: 'listFormVersions' },
  listExaminationTemplates: { made: 'listFormVersions' },
  listChatPictures: { made: 'listChatPictures' },
  listTrend: { sent: 'moveExamination' },
  listLaboratoryResults: { made: 'assignLaboratoryResult' },
  listLaboratoryMessages: { made: 'assignLaboratoryResult' },
  listHandovers: { made: 'getHandover' },
  listWaitingHandovers: { made: 'moveHandover' },
  listUnitHandovers: { made: 'getHandover' },
  listOwedReports: { made: 'putUnitDay' },
  listCensusLog: { sent: 'notePrint' },
  listProposals: { made: 'dismissProposal' },
  listRefusedMessages: { made: 'retryRefusedMessage' },
  listUnknownStays: { made: 'dismissUnknownStay' },
};

/** Of these a world has one row or none, whatever is done in it three times. */
const FEW = [
  ...[
    'listReaders',
    'listUnexportedChats',
    'listDeletedMembers',
    'listShifts',
    'listMessageVersions',
    'listReportVersions',
  ],
  ...['listFormVersions', 'listCitations'],
];

async function fill(name: string): Promise<void> {
  const by = FILLED_BY[name];
  if (by === undefined) return;
  const act = endpoints.find((endpoint) => endpoint.name === ('sent' in by ? by.sent : by.made));
  if (act === undefined) throw new Error(`there is no act of the name that fills ${name}`);
  for (let times = 0; times < 3; times++) {
    const sample = await sampleOf(world, act);
    if ('made' in by) continue;
    const { statusCode, payload } = await sendSample(await clientFor(world, act), act, sample);
    expect(statusCode, payload).toBeLessThan(300);
  }
}

it('the lists that go by pages are found by what they ask for and answer, and those that are named here are among them', () => {
  const names = lists.map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(37);
  expect(names).toEqual(expect.arrayContaining([...Object.keys(FILLED_BY), ...FEW]));
});

interface Page {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
}

it.each(lists.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s by ones and by twos is the list as a whole: each row once, and no page after the last row',
  async (name, endpoint) => {
    await fill(name);
    const client = await clientFor(world, endpoint);
    const sample = await sampleOf(world, endpoint);
    const page = async (limit: number, cursor: string | null = null): Promise<Page> => {
      const query = { ...sample.query, limit: String(limit), ...(cursor !== null && { cursor }) };
      const answer = await sendSample(client, endpoint, { ...sample, query });
      expect(answer.statusCode, answer.payload).toBe(200);
      return answer.json();
    };
    const pagesOf = async (limit: number): Promise<Page['data'][]> => {
      const pages: Page['data'][] = [];
      let cursor: string | null = null;
      do {
        const { data, next_cursor } = await page(limit, cursor);
        pages.push(data);
        cursor = next_cursor;
      } while (cursor !== null && pages.length < 100);
      return pages;
    };
    // That somebody reads is a row of some lists, once.
    await page(1);
    const whole = await page(100);
    expect(whole.next_cursor).toBeNull();
    if (!FEW.includes(name)) expect(whole.data.length).toBeGreaterThanOrEqual(3);
    expect(await pagesOf(1)).toEqual(inPages(whole.data, 1));
    expect(await pagesOf(2)).toEqual(inPages(whole.data, 2));
  },
);

function inPages(rows: Page['data'], size: number): Page['data'][] {
  const count = Math.max(1, Math.ceil(rows.length / size));
  return Array.from({ length: count }, (_, index) => rows.slice(index * size, (index + 1) * size));
}
