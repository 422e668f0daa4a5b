import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type CensusFixture,
  type FixtureUnit,
  openCensusFixture,
  openHospital,
  type Person,
  type Place,
  setNow,
} from '#/features/census/reports/testing/census-fixture.ts';
import { createJobs } from '#/platform/jobs/jobs.ts';
import { createLog } from '#/platform/log.ts';
import { createMailFolder } from '#/platform/mail/mail-folder.ts';
import { LOG_HEAD_MAIL, sendLogHeadMail } from './mail-log-head.ts';
import { actOnDay, approveAll, dayUrl, getDay } from './testing/days.ts';

/** 08:00 on the 20th in Manila. */
const NOW = '2026-11-20T00:00:00Z';
const DATE = '2026-11-19';

let ward: CensusFixture;
let place: Place;
let med: FixtureUnit;
let ana: Person;
let ruth: Person;
let url: string;
beforeAll(async () => {
  setNow(NOW);
  ward = await openCensusFixture();
});
afterAll(() => ward.close());
beforeEach(async () => {
  setNow(NOW);
  place = await ward.elsewhere();
  med = await ward.unit('MED 3A', {}, place);
  ana = await ward.person(['chargeNurse'], [med], place);
  ruth = await ward.person(['censusOfficer'], [], place);
  url = dayUrl(place, DATE);
  await approveAll({ nurse: ana, approver: ruth }, { units: [{ unit: med, seed: 24 }], date: DATE });
});

const mailTo = (...addresses: string[]) =>
  sql`update census_facilities set log_head_emails = ${addresses}::text[]
    where facility_no = ${place.facilityNo}`.execute(ward.server.db);
const sign = async (body: object = {}) => {
  const { day } = await getDay(ruth, place, DATE);
  return actOnDay(ruth, `${url}/sign`, { version: day.version, ...body });
};
const newMails = async () => {
  const before = ward.server.mails.length;
  await ward.server.runJobs();
  return ward.server.mails.slice(before);
};
const keptOutside = async () => {
  const answer = await ruth.client.send('GET', `/api/census/facilities/${place.facility.id}/logs/verify`);
  return answer.json().kept_outside;
};
const keptHead = async () => {
  const found = await sql<{ seq: number; hash: string }>`
    select log_seq as seq, encode(log_hash, 'hex') as hash from facility_days
    where facility_no = ${place.facilityNo} and census_date = ${DATE}`.execute(ward.server.db);
  return found.rows[0];
};

describe('the head of the log by email', () => {
  it('CEN-7 goes to each address with the signature, once, and says what to compare it with', async () => {
    await mailTo('director@brigid.test', 'records@brigid.test');
    expect((await sign({ lock: true })).status).toBe(200);
    const head = await keptHead();
    const mails = await newMails();
    expect(mails.map(({ to }) => to).sort()).toEqual(['director@brigid.test', 'records@brigid.test']);
    const name = place.facility.name;
    const subject = `Census log of ${name}, Thu 19 Nov: entry ${head?.seq}`;
    for (const mail of mails) {
      expect(mail.subject).toBe(subject);
      expect(mail.text.split('\n\n')).toEqual([
        `${ruth.name} signed the census of ${name} for Thu 19 Nov 2026. Its census log ended here at that time:`,
        `Facility: ${name}\nCensus date: Thu 19 Nov 2026\nEntry: ${head?.seq}\nHash: ${head?.hash}\n` +
          `Signed by: ${ruth.name}\nSigned at: Fri 20 Nov 2026, 08:00:00 UTC+08:00 (Asia/Manila)`,
        'Keep this email. Someone who could rewrite the whole log could also recompute every hash, but could not change what is in your mailbox.',
        `To check the log, open it at these dates and unfold entry ${head?.seq}. Its hash must begin with ` +
          `${head?.hash.slice(0, 4)} ${head?.hash.slice(4, 8)} ${head?.hash.slice(8, 12)}, and the chain must verify without a break:`,
        expect.stringMatching(/^https?:\/\/.+\/census-logs\?from=2026-11-19&to=2026-11-19$/),
        'An export of the log as JSON lines has every hash in full. If it is another, the log was changed after the signature: tell whoever runs this installation.',
        'Wardline\n',
      ]);
    }
    expect(await newMails()).toEqual([]);
  });

  it('F-N8 is outside once it was sent, and not while it waits or where a signature came after it', async () => {
    await mailTo('director@brigid.test');
    const other = await openHospital(ward, { med: {} });
    await approveAll(
      { nurse: other.ana, approver: other.ruth },
      { units: [{ unit: other.med, seed: 24 }], date: DATE },
    );
    await actOnDay(other.ruth, `${dayUrl(other.place, DATE)}/sign`, { version: 1 });
    await sign();
    expect(await keptOutside()).toEqual([]);
    await newMails();
    const head = await keptHead();
    expect(await keptOutside()).toMatchObject([
      { census_date: DATE, seq: head?.seq, is_printed: false, is_mailed: true },
    ]);
    const elsewhere = ward.server.db.selectFrom('facility_days').select(['log_seq', 'log_mailed_seq']);
    expect(await elsewhere.where('facility_no', '=', other.place.facilityNo).execute()).toEqual([
      { log_seq: head?.seq, log_mailed_seq: null },
    ]);
    const { day } = await getDay(ruth, place, DATE);
    await actOnDay(ruth, `${url}/reopen`, { version: day.version, reason_code: 'late_slip', reason: 'A late slip' });
    await mailTo();
    await sign();
    await newMails();
    expect(await keptOutside()).toEqual([]);
  });

  it('CEN-7 carries no figure of the census and no reason that somebody typed', async () => {
    await mailTo('director@brigid.test');
    await sign();
    const [mail] = await newMails();
    expect(mail?.text).not.toMatch(/\b24\b|MED 3A|transfer|closing/i);
  });

  it('CEN-7 goes again with another entry when a reopened day is signed again, and says so', async () => {
    await mailTo('director@brigid.test');
    await sign();
    const first = await newMails();
    const { day } = await getDay(ruth, place, DATE);
    const why = { reason_code: 'late_slip', reason: 'A discharge slip came late' };
    expect((await actOnDay(ruth, `${url}/reopen`, { version: day.version, ...why })).status).toBe(200);
    expect(await newMails()).toEqual([]);
    expect((await sign()).status).toBe(200);
    const [again] = await newMails();
    const head = await keptHead();
    expect(again?.subject).toBe(`Census log of ${place.facility.name}, Thu 19 Nov, signed again: entry ${head?.seq}`);
    expect(again?.text).toContain('for Thu 19 Nov 2026 again, after it was reopened.');
    expect(again?.text).toContain(head?.hash);
    expect(first[0]?.text).not.toContain(head?.hash);
    expect(again?.text).not.toContain('discharge slip');
  });

  it('CEN-7 is queued with the signature: none is where signing is refused, repeated or nobody is named', async () => {
    await mailTo('director@brigid.test');
    expect((await sign({ version: 99 })).status).toBe(409);
    expect(await newMails()).toEqual([]);
    const { day } = await getDay(ruth, place, DATE);
    const body = { client_id: '01a2b3c4-0000-7000-8000-000000000001', version: day.version };
    expect((await actOnDay(ruth, `${url}/sign`, body)).status).toBe(200);
    expect((await actOnDay(ruth, `${url}/sign`, body)).status).toBe(200);
    expect(await newMails()).toHaveLength(1);
  });

  it('CEN-7 is not sent where the facility names no address', async () => {
    expect((await sign()).status).toBe(200);
    expect(await newMails()).toEqual([]);
  });

  it('CEN-7 OPS-12 lies in the folder of mails where no mail server is set', async () => {
    await mailTo('director@brigid.test');
    await sign();
    const folder = await mkdtemp(path.join(os.tmpdir(), 'wardline-heads-'));
    try {
      const mailer = createMailFolder({ folder, from: { name: 'Wardline', address: 'wardline@localhost' } });
      const handler = sendLogHeadMail({ mailer, publicUrl: () => 'https://ward.test', productName: 'Wardline' });
      const { db } = ward.server;
      await createJobs({ db, log: createLog('silent'), handlers: { [LOG_HEAD_MAIL]: handler } }).runDue();
      const [kept] = await mailer.list();
      expect(kept).toMatchObject({
        to: 'director@brigid.test',
        from: 'Wardline <wardline@localhost>',
        text: expect.stringContaining('https://ward.test/census-logs?from=2026-11-19&to=2026-11-19'),
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
