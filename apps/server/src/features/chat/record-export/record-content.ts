import type { Database } from '#/platform/db/database.ts';
import { chatName, createMoment, isolated, type Moment, writeMessage } from './record-message.ts';
import {
  type ExportedChat,
  type findExportingFacility,
  type RecordFile,
  type RecordMessage,
  readMessages,
  readPeople,
} from './record-queries.ts';

/** A version of a report as it was signed. */
export interface SignedReport {
  readonly examination_id: string;
  readonly version: number;
  readonly sha256: string;
  /** The signed text itself: its hash is over these bytes. */
  readonly content: string;
}

export interface RecordDeps {
  /** The signed reports of a chat, which are kept elsewhere. */
  readonly signedReports: (db: Database, chatId: string) => Promise<SignedReport[]>;
}

/** What an export is of, and who took it. */
export interface Export extends RecordDeps {
  readonly db: Database;
  readonly facility: Awaited<ReturnType<typeof findExportingFacility>> & { readonly id: string };
  readonly by: { readonly id: string; readonly name: string };
  readonly at: string;
  readonly reason: string;
  readonly chats: readonly ExportedChat[];
}

/** record.json, as it is read; tells of each file that the archive has to have. */
export async function* recordJson(of: Export, onFile: (file: RecordFile) => void): AsyncGenerator<string> {
  const { facility, by, at, reason } = of;
  const head = { format: 'wardline-record', version: 1, facility: { id: facility.id, name: facility.name } };
  yield `${JSON.stringify({ ...head, exported: { at, by, reason } }).slice(0, -1)},"chats":[`;
  for (const [index, chat] of of.chats.entries()) {
    const people = await readPeople(of.db, chat.id);
    const reports = await of.signedReports(of.db, chat.id);
    const about = { ...chat, people, reports };
    yield `${index > 0 ? ',' : ''}\n${JSON.stringify(about).slice(0, -1)},"messages":[`;
    let isFirst = true;
    for await (const page of readMessages(of.db, chat)) {
      for (const message of page) {
        for (const file of message.files) onFile(file);
        yield `${isFirst ? '' : ','}\n${JSON.stringify(message)}`;
        isFirst = false;
      }
    }
    yield ']}';
  }
  yield ']}\n';
}

/** record.html: the same for people, one page that prints (and becomes a PDF) in every browser, with nothing that runs or loads. */
export async function* recordHtml(of: Export): AsyncGenerator<string> {
  const { facility, by, at, reason } = of;
  const moment = createMoment(facility);
  yield `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Record, ${escapeHtml(facility.name)}</title><style>${STYLE}</style></head><body>
<header><h1>Record</h1><p>${escapeHtml(facility.name)}</p>
<p>Exported ${escapeHtml(moment(at))} by ${escapeHtml(by.name)}: ${escapeHtml(reason)}</p></header>`;
  for (const chat of of.chats) {
    yield `<section><h2 dir="auto">${escapeHtml(chatName(chat))}</h2>`;
    yield '<table><thead><tr><th>Person</th><th>Access</th><th>Delivered to</th><th>Read to</th></tr></thead><tbody>';
    for (const person of await readPeople(of.db, chat.id)) {
      const access = person.left_at ? `left ${moment(person.left_at.toISOString())}` : person.access;
      yield `<tr><td>${escapeHtml(person.name)}</td><td>${escapeHtml(access)}</td><td>${person.delivered_seq}</td><td>${person.read_seq}</td></tr>`;
    }
    yield '</tbody></table>';
    for await (const page of readMessages(of.db, chat))
      yield page.map((message) => messageHtml(message, moment)).join('');
    for (const { examination_id, version, sha256, content } of await of.signedReports(of.db, chat.id)) {
      yield `<article><h3>Signed report ${escapeHtml(examination_id)}, version ${version}</h3><p class="m">SHA-256 ${sha256}</p><pre dir="auto">${escapeHtml(content)}</pre></article>`;
    }
    yield '</section>';
  }
  yield '</body></html>\n';
}

function messageHtml(message: RecordMessage, moment: Moment): string {
  const { seq, author, about, body, notes } = writeMessage(message, moment);
  return `<article><h3>${seq} · ${escapeHtml(author + about)}</h3><p class="b" dir="auto">${escapeHtml(body)}</p>${notes
    .map(({ label, text }) => `<p class="m" dir="auto">${escapeHtml(`${label}: ${isolated(text)}`)}</p>`)
    .join('')}</article>`;
}

const STYLE = `body{font:11pt/1.4 system-ui,sans-serif;color:#000;background:#fff;max-width:180mm;margin:10mm auto;padding:0 5mm}
h1{font-size:18pt}h2{font-size:14pt;border-bottom:1px solid #000}h3{font-size:9pt;font-weight:600;margin:0}article{margin:0 0 4mm;break-inside:avoid}
p{margin:0 0 1mm}.b,pre{white-space:pre-wrap;overflow-wrap:anywhere}pre{font-size:8pt}.m{font-size:9pt;color:#333;white-space:pre-wrap;overflow-wrap:anywhere}
section{break-before:page}table{font-size:9pt;border-collapse:collapse;margin:0 0 6mm}td,th{text-align:start;padding:0 4mm 0 0}@page{margin:15mm}`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: HTML has no place for them
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

function escapeHtml(text: string): string {
  return text
    .replaceAll(UNWRITABLE, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
