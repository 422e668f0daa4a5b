import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ChildLostError } from '#/platform/child-process/child-pool.ts';
import type { Database } from '#/platform/db/database.ts';
import type { FileStore } from '#/platform/files/file-store.ts';
import { readPdf } from '#/platform/pdf/testing/read-pdf.ts';
import { recordArchive } from './record-archive.ts';
import type { Export } from './record-content.ts';
import { createRecordPdfPrinter } from './record-pdf.ts';
import { RecordPdfWriter } from './record-pdf-writer.ts';
import type { ExportedChat, RecordMessage, RecordPerson } from './record-queries.ts';
import { createRecordSigner } from './record-signature.ts';

const AT = '2026-11-19T08:02:11.000Z';
const SHA = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const FACILITY = {
  id: 'f',
  name: 'St. Brigid General',
  time_zone: 'Asia/Singapore',
  hour_cycle: 'h23',
  date_order: 'dmy',
} as const;
const ANA = { id: 'a', name: 'Ana Reyes', title: 'Nurse' };

function chat(more: Partial<ExportedChat> = {}): ExportedChat {
  return {
    ...{ id: '0190c0de-0000-7000-8000-000000000001', kind: 'case', title: '', state: 'closed', created_at: AT },
    ...{ patient: { name: 'Édith Mâron', identifier: '4711', born_on: '1948-03-14' }, head_seq: 3, head_change_seq: 0 },
    ...more,
  };
}

function message(seq: number, more: object = {}): RecordMessage {
  return {
    ...{ id: `m${seq}`, chat_id: 'c', seq, client_id: 'k', sender: ANA, kind: 'text', body: `Said ${seq}.` },
    ...{ reply_to: null, device_time: null, created_at: AT, earlier: [], files: [] },
    ...more,
  } as RecordMessage;
}

function headOf(chats: readonly ExportedChat[]) {
  const reason = 'Asked for by the patient.';
  return { facility: FACILITY, by: { id: 'r', name: 'Rhea Cole' }, at: '2026-11-26T13:16:00.000Z', reason, chats };
}

async function printed(messages: readonly RecordMessage[], people: readonly RecordPerson[] = []) {
  const writer = new RecordPdfWriter(headOf([chat()]));
  writer.startChat(0, people);
  writer.writeMessages(messages);
  writer.end();
  const read = await readPdf(writer.take());
  return { ...read, text: read.pages.join('\n').replaceAll(/\s+/g, ' ') };
}

describe('record.pdf', () => {
  it('ADM-4 says on its first page whose it is, who took it, when and why, in the time of the facility', async () => {
    const { pages, title } = await printed([]);
    const cover = pages[0]?.replaceAll(/\s+/g, ' ');
    expect(title).toBe('Record: Édith Mâron, MRN 4711, born 14 Mar 1948, St. Brigid General');
    expect(cover).toContain('Patient Édith Mâron, MRN 4711, born 14 Mar 1948');
    expect(cover).toContain('Exported Thu 26 Nov 2026, 21:16:00 UTC+08:00');
    expect(cover).toContain('By Rhea Cole Reason Asked for by the patient.');
  });

  it('ADM-4 has the people of a chat with how far they read, also who left', async () => {
    const person = { user_id: 'a', access: 'write', joined_seq: 0, delivered_seq: 12, read_seq: 11 };
    const { text } = await printed(
      [],
      [
        { ...person, name: 'Ana Reyes', left_at: null },
        { ...person, name: 'Leila Haddad', left_at: new Date(AT) },
      ],
    );
    expect(text).toContain('Ana Reyes Reads and writes 12 11');
    expect(text).toContain('Leila Haddad Left Thu 19 Nov 2026, 16:02:11 UTC+08:00 12 11');
  });

  it('ADM-4 has each message with its number, author, title, role and time, in order, and all its texts', async () => {
    const { text } = await printed([
      message(1, {
        body: 'K 6,9\nhaemolysed?',
        edited_at: AT,
        earlier: [
          { version: 1, body: 'K 6,7', written_at: AT },
          { version: 2, body: 'K 6,8', written_at: AT },
        ],
      }),
      message(2, {
        sender_role: 'Medical registrar',
        reply_to_seq: 1,
        body: '',
        deleted: { at: AT, reason: 'Wrong patient' },
      }),
      message(3, { kind: 'system', body: 'closed the chat' }),
    ]);
    const when = 'Thu 19 Nov 2026, 16:02:11 UTC+08:00';
    const parts = [
      `1 Ana Reyes, Nurse · ${when} K 6,9 haemolysed?`,
      `Edited: ${when} Version 1, ${when}: K 6,7 Version 2, ${when}: K 6,8`,
      `2 Ana Reyes, Nurse, as Medical registrar · ${when} Answers: message 1 Deleted: ${when}: Wrong patient`,
      `3 Ana Reyes, Nurse · ${when} closed the chat`,
    ];
    const places = parts.map((part) => text.indexOf(part));
    expect(places, text).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('ADM-4 has mentions, reactions, citations, calls, files and what is withheld, as record.html has', async () => {
    const leila = { user_id: 'l', name: 'Leila Haddad' };
    const { text } = await printed([
      message(1, {
        mentions: [{ kind: 'user', id: 'l', name: 'Leila Haddad' }],
        reactions: [{ code: 'on_my_way', ...leila, at: AT }],
        pinned: { at: AT, ...leila },
        device_time: '2026-11-19T06:00:00.000Z',
        forwarded: { sender: { id: 'o', name: 'Omar Khatib', title: null }, sent_at: AT, patient: null },
        citations: [
          {
            ...{ examination_id: 'e', title: 'Electrolytes', field: 'k', label: 'Potassium', value: '6.90' },
            ...{ unit: 'mmol/L', interpretation: 'HH', report_version: 1 },
            now: { state: 'amended', report_version: 2, value: '5.10', interpretation: 'N' },
          },
        ],
        urgent: {
          ...{ state: 'closed', version: 1, next: null, steps: [], step: 0, due_at: null },
          targets: { people: [leila], role: null },
          people: [{ ...leila, role: null, called_at: AT, times: 2, delivered_at: AT, seen_at: AT, accepted_at: AT }],
          entries: [{ at: AT, kind: 'acted', by: leila, called: [], note: 'Given calcium.' }],
        },
        files: [
          { id: 'x', name: 'Brief für.pdf', mime: 'application/pdf', bytes: 2048, sha256: SHA, path: 'files/x.pdf' },
        ],
        attachments: [{ id: 'x' }, { id: 'y', name: 'setup.pdf', held: 'malware' }],
      }),
    ]);
    for (const said of [
      'Mentions: Leila Haddad',
      'Reaction: Leila Haddad: on my way, Thu 19 Nov 2026',
      'Pinned: Leila Haddad',
      'Time on the device: Thu 19 Nov 2026, 14:00:00',
      'Forwarded: Omar Khatib',
      'Cites: Electrolytes, Potassium: 6.90 mmol/L (critically high), report version 1; 5.10 in version 2',
      'Urgent: acknowledged and closed; sent to Leila Haddad',
      'Leila Haddad closed it: Given calcium.',
      'Called: Leila Haddad, Thu 19 Nov 2026, 16:02:11 UTC+08:00, 2 times; seen',
      'File: Brief für.pdf (files/x.pdf, 2 kB, SHA-256',
      SHA,
      'File that is not in the archive: setup.pdf: malware was found in it',
    ]) {
      expect(text).toContain(said);
    }
  });

  it('ADM-4 has the signed reports with their hash and every value that was signed, line by line', async () => {
    const writer = new RecordPdfWriter(headOf([chat()]));
    const content = JSON.stringify({
      ...{ examination: 'e1', template: { name: 'Electrolytes' }, signed_by: { name: 'Leila Haddad' }, reason: null },
      entries: [
        { field: 'potassium', value: '6.90', unit: { code: 'mmol/L' } },
        { field: 'impression', value: 'Severe.\nCall.' },
      ],
    });
    writer.startChat(0, []);
    writer.writeReports([
      { examination_id: 'e1', version: 2, sha256: SHA, content },
      { examination_id: 'e2', version: 1, sha256: SHA, content: 'no JSON' },
    ]);
    writer.end();
    const text = (await readPdf(writer.take())).pages.join('\n').replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      `Signed report e1, version 2 SHA-256 ${SHA} examination: e1 template: name: Electrolytes signed by: name: Leila Haddad reason: – entries: field: potassium, value: 6.90, unit: (code: mmol/L) field: impression, value: Severe. Call.`,
    );
    expect(text).toContain(`Signed report e2, version 1 SHA-256 ${SHA} no JSON`);
  });

  it('ADM-4 an Arabic name turns nothing around beside it, and a mark of direction in it neither', async () => {
    const { text } = await printed([message(1, { sender: { id: 'o', name: '\u202eعمر', title: null } })]);
    expect(text).toMatch(/· Thu 19 Nov 2026, 16:02:11 UTC\+08:00/);
    expect(text).toContain('Said 1.');
  });

  it('ADM-4 numbers the pages of each chat, and has patient and facility on each of them', async () => {
    const writer = new RecordPdfWriter(
      headOf([chat(), chat({ id: '0190c0de-0000-7000-8000-000000000002', patient: null, title: 'Night team' })]),
    );
    writer.startChat(0, []);
    writer.writeMessages(Array.from({ length: 80 }, (_, index) => message(index + 1)));
    writer.startChat(1, []);
    writer.writeMessages([message(1)]);
    writer.end();
    const { pages, bookmarks } = await readPdf(writer.take());
    const [, ...ofChats] = pages.map((page) => page.replaceAll(/\s+/g, ' '));
    const first = ofChats.filter((page) => page.includes('Chat 1 of 2'));
    expect(first.length).toBeGreaterThan(2);
    for (const [index, page] of first.entries()) {
      expect(page).toContain('Édith Mâron, MRN 4711, born 14 Mar 1948');
      expect(page).toContain('St. Brigid General');
      expect(page.replaceAll(' ', '')).toContain(`Chat1of2,page${index + 1}of${first.length}`);
    }
    expect(ofChats.at(-1)?.replaceAll(' ', '')).toContain('Chat2of2,page1of1');
    expect(bookmarks.map(({ title, items }) => [title, items.map((item) => item.title)])).toEqual([
      ['Record', []],
      ['Édith Mâron, MRN 4711, born 14 Mar 1948', ['Thu 19 Nov 2026']],
      ['Night team', ['Thu 19 Nov 2026']],
    ]);
  });
});

describe('the process that writes it', () => {
  const of: Export = {
    ...headOf([]),
    db: {} as Database,
    signedReports: async () => [],
  };
  const running = () => process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length;
  const ended = () => expect.poll(running, { timeout: 5000 }).toBe(0);

  it('ADM-4 R23 gives what is written as it is written, and ends with it', async () => {
    const parts: Buffer[] = [];
    for await (const part of createRecordPdfPrinter().print(of)) parts.push(part);
    expect(Buffer.concat(parts).subarray(0, 8).toString()).toBe('%PDF-1.7');
    expect(Buffer.concat(parts).subarray(-6).toString()).toBe('%%EOF\n');
    await ended();
  });

  it('ADM-4 R23 ends where nobody reads on, and lets the next one in', async () => {
    const printer = createRecordPdfPrinter();
    for (let turn = 0; turn < 3; turn++) {
      const printing = printer.print(of);
      expect((await printing.next()).done).toBe(false);
      expect(running()).toBe(1);
      await printing.return(undefined);
      await ended();
    }
  });

  it('ADM-4 R23 is given up where nobody takes what it wrote for long', async () => {
    const printing = createRecordPdfPrinter({ idleMs: 50 }).print(of);
    await printing.next();
    await ended();
    await expect(printing.next()).rejects.toThrow(ChildLostError);
  });

  it('ADM-4 R23 an archive that nobody reads to its end stops what writes its PDF, and is no export', async () => {
    const seen = { parts: 0, isEnded: false, isWhole: false };
    async function* print(): AsyncGenerator<Buffer> {
      try {
        for (;;) {
          seen.parts += 1;
          yield randomBytes(65_536);
        }
      } finally {
        seen.isEnded = true;
      }
    }
    const archive = recordArchive(of, {
      ...{ files: {} as FileStore, signer: createRecordSigner(Buffer.from('a key')), printer: { print } },
      onWhole: async () => {
        seen.isWhole = true;
      },
    });
    let bytes = 0;
    for await (const part of archive) {
      bytes += part.length;
      if (bytes > 200_000) break;
    }
    await expect.poll(() => seen.isEnded).toBe(true);
    const { parts } = seen;
    await setTimeout(50);
    expect(seen).toEqual({ parts, isEnded: true, isWhole: false });
    // What nobody has taken is not made in advance.
    expect(parts).toBeLessThan(12);
  });

  it('ADM-4 R23 a process that dies of it takes the archive with it, and nothing else', async () => {
    const program = { file: new URL('data:text/javascript,process.exit(1)').href, execArgv: [] };
    await expect(createRecordPdfPrinter({ program }).print(of).next()).rejects.toThrow(ChildLostError);
    await ended();
  });
});
