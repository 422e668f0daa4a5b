import { formatCount } from '@wardline/format/counts.ts';
import { formatDay } from '@wardline/format/dates.ts';
import type { FacilityFormat } from '@wardline/format/facility-format.ts';
import { dateIn } from '@wardline/format/zone.ts';
import type { JpegPicture } from '#/platform/pdf/jpeg-picture.ts';
import { splitParagraphs } from '#/platform/pdf/paragraph.ts';
import { type Later, PdfDocument, type Running, TEXT_WIDTH } from '#/platform/pdf/pdf-document.ts';
import type { SignedReport } from './record-content.ts';
import {
  chatName,
  createMoment,
  isolated,
  kindNames,
  type Moment,
  type ReportLine,
  stateNames,
  type WrittenMessage,
  writeMessage,
  writeReport,
} from './record-message.ts';
import type { ExportedChat, RecordMessage, RecordPerson } from './record-queries.ts';

/** What the record is of, and who took it. */
export interface RecordHead {
  readonly facility: FacilityFormat & { readonly id: string; readonly name: string; readonly time_zone: string };
  readonly by: { readonly name: string };
  /** ISO 8601 */
  readonly at: string;
  readonly reason: string;
  readonly chats: readonly ExportedChat[];
}

/** One step of writing a record, in the order in which they come: head, then of each chat its people, messages and reports, then end. */
export type RecordPart =
  | { readonly kind: 'head'; readonly head: RecordHead }
  | { readonly kind: 'chat'; readonly index: number; readonly people: readonly RecordPerson[] }
  | {
      readonly kind: 'messages';
      readonly messages: readonly RecordMessage[];
      /** Those that are shown, by the id of their file. */
      readonly pictures: ReadonlyMap<string, JpegPicture>;
    }
  | { readonly kind: 'reports'; readonly reports: readonly SignedReport[] }
  | { readonly kind: 'end' };

const TITLE = { size: 20, leading: 28 };
const CHAT_TITLE = { size: 14, leading: 20, keep: 60 };
const PART_TITLE = { size: 10.5, leading: 15, before: 14, keep: 36 };
const SEQ_WIDTH = 34;
const HEADING = { size: 8.5, leading: 12, left: SEQ_WIDTH, before: 8, keep: 30 };
const BODY = { size: 10, leading: 14.5, left: SEQ_WIDTH };
const NOTE = { size: 8, leading: 11.5, left: SEQ_WIDTH + 10 };
const PLAIN = { size: 9.5, leading: 14 };
const PICTURE = { left: NOTE.left, most: 170 };
const REPORT = { size: 8.5, leading: 12 };
const REPORT_ITEM = { ...REPORT, left: 12 };

/** record.pdf, page after page: the same as record.html, as paper has it. */
export class RecordPdfWriter {
  readonly #head: RecordHead;
  readonly #pdf: PdfDocument;
  readonly #moment: Moment;
  /** How many pages the chat has that is being written: its pages say it before it is known. */
  #pages: Later | null = null;
  #day = '';

  constructor(head: RecordHead) {
    const { facility, by, at, reason, chats } = head;
    this.#head = head;
    this.#moment = createMoment(facility);
    const names = [...new Set(chats.map(chatName))];
    const about = names.length === 1 ? names[0] : `${formatCount(chats.length)} chats`;
    this.#pdf = new PdfDocument({
      ...{
        title: `Record: ${about}, ${facility.name}`,
        author: by.name,
        subject: reason,
        language: 'en',
        createdAt: at,
      },
      key: `${at} ${chats.map(({ id, head_seq }) => `${id} ${head_seq}`).join(' ')}`,
    });
    this.#writeCover(names);
  }

  /** What was written since it was last taken. */
  take(): Buffer {
    return this.#pdf.take();
  }

  /** Ends the chat before, and begins the one with this place among those of the record. */
  startChat(index: number, people: readonly RecordPerson[]): void {
    this.#endChat();
    const chat = this.#head.chats[index];
    if (!chat) throw new Error('the record has no such chat');
    const pdf = this.#pdf;
    this.#pages = pdf.reserveLater();
    pdf.startPages(this.#runningOf(chat, index), this.#pages);
    pdf.open({ name: 'Sect' });
    pdf.addBookmark(chatName(chat), 0);
    pdf.write({ name: 'H2' }, [{ text: chatName(chat), isBold: true }], CHAT_TITLE);
    pdf.skip(4);
    pdf.writeDetails([
      ['Chat', `${kindNames[chat.kind]}${chat.patient && chat.title ? `, ${isolated(chat.title)}` : ''}`],
      ['State', stateNames[chat.state]],
      ['Started', this.#moment(chat.created_at)],
      ['Messages', formatCount(chat.head_seq)],
      ['Id', chat.id],
    ]);
    pdf.write({ name: 'H3' }, [{ text: 'People', isBold: true }], PART_TITLE);
    pdf.writeTable(
      PEOPLE_COLUMNS,
      people.map((person) => this.#personRow(person)),
    );
    this.#day = '';
  }

  writeMessages(messages: readonly RecordMessage[], pictures: ReadonlyMap<string, JpegPicture> = new Map()): void {
    for (const message of messages) {
      this.#startDay(message.created_at);
      this.#pdf.open({ name: 'Sect' });
      this.#writeMessage(writeMessage(message, this.#moment));
      for (const { id, name } of message.files) {
        const picture = pictures.get(id);
        if (picture) this.#pdf.writePicture(picture, { alternative: name, ...PICTURE });
      }
      this.#pdf.close();
    }
  }

  writeReports(reports: readonly SignedReport[]): void {
    this.#endDay();
    const pdf = this.#pdf;
    for (const { examination_id, version, sha256, content } of reports) {
      pdf.open({ name: 'Sect' });
      pdf.write(
        { name: 'H3' },
        [{ text: `Signed report ${examination_id}, version ${version}`, isBold: true }],
        PART_TITLE,
      );
      pdf.write({ name: 'P' }, [{ text: `SHA-256 ${sha256}`, isMuted: true }], NOTE_PLAIN);
      pdf.skip(3);
      for (const line of writeReport(content)) this.#writeReportLine(line);
      pdf.close();
    }
  }

  #writeReportLine({ label, text, isInList }: ReportLine): void {
    const style = isInList ? REPORT_ITEM : REPORT;
    const [first = '', ...rest] = splitParagraphs(text);
    const before = label === '' ? [] : [{ text: `${label}: `, isMuted: true }];
    this.#pdf.write({ name: 'P' }, [...before, { text: first }], style);
    for (const more of rest) this.#pdf.write({ name: 'P' }, [{ text: more }], style);
  }

  end(): void {
    this.#endChat();
    this.#pdf.end();
  }

  #writeCover(names: readonly string[]): void {
    const { facility, by, at, reason, chats } = this.#head;
    const pdf = this.#pdf;
    const messages = chats.reduce((sum, { head_seq }) => sum + head_seq, 0);
    pdf.startPages({ header: this.#header(''), footer: () => ({ left: [], right: this.#taken() }) });
    pdf.addBookmark('Record', 0);
    pdf.write({ name: 'H1' }, [{ text: 'Record', isBold: true }], TITLE);
    pdf.skip(6);
    pdf.writeDetails([
      ['Facility', isolated(facility.name)],
      ...(names.length === 1 ? [[chats[0]?.patient ? 'Patient' : 'Chat', names[0] ?? ''] as const] : []),
      ['Exported', this.#moment(at)],
      ['By', isolated(by.name)],
      ['Reason', isolated(reason)],
      [
        'Contents',
        `${formatCount(chats.length)} ${chats.length === 1 ? 'chat' : 'chats'}, ${formatCount(messages)} messages`,
      ],
      ['Times', `On the clocks of ${facility.time_zone}, each with its distance to UTC`],
    ]);
    pdf.write({ name: 'H2' }, [{ text: 'Chats', isBold: true }], { ...PART_TITLE, before: 20 });
    pdf.writeTable(
      CHAT_COLUMNS,
      chats.map((chat, index) => [
        String(index + 1),
        chatName(chat),
        kindNames[chat.kind],
        stateNames[chat.state],
        formatCount(chat.head_seq),
      ]),
    );
    pdf.write({ name: 'H2' }, [{ text: 'How to read it', isBold: true }], { ...PART_TITLE, before: 20 });
    for (const text of HOW_TO_READ) pdf.write({ name: 'P' }, [{ text }], { ...PLAIN, before: 4 });
  }

  #taken() {
    return [{ text: `Exported ${this.#moment(this.#head.at)} by ${isolated(this.#head.by.name)}`, isMuted: true }];
  }

  #header(name: string): Running['header'] {
    return {
      left: [{ text: name || 'Record', isBold: true }],
      right: [{ text: isolated(this.#head.facility.name), isMuted: true }],
    };
  }

  #runningOf(chat: ExportedChat, index: number): Running {
    return {
      header: this.#header(chatName(chat)),
      footer: (page) => ({
        left: [{ text: `Chat ${index + 1} of ${this.#head.chats.length}, page ${page} of `, isMuted: true }],
        right: this.#taken(),
      }),
    };
  }

  #personRow(person: RecordPerson): string[] {
    const { name, access, left_at, delivered_seq, read_seq } = person;
    const now = left_at ? `Left ${this.#moment(new Date(left_at).toISOString())}` : (accessNames[access] ?? access);
    return [name, now, formatCount(delivered_seq), formatCount(read_seq)];
  }

  #startDay(instant: string): void {
    const { facility } = this.#head;
    const day = formatDay(dateIn(facility.time_zone, Date.parse(instant)), facility.date_order);
    if (day === this.#day) return;
    this.#endDay();
    this.#day = day;
    this.#pdf.open({ name: 'Sect' });
    this.#pdf.addBookmark(day, 1);
    this.#pdf.write({ name: 'H3' }, [{ text: day, isBold: true }], { ...PART_TITLE, before: 18 });
    this.#pdf.rule(2, 0);
  }

  #endDay(): void {
    if (this.#day !== '') this.#pdf.close();
    this.#day = '';
  }

  #writeMessage({ seq, author, about, body, notes }: WrittenMessage): void {
    const pdf = this.#pdf;
    const heading = [
      { text: author, isBold: true },
      { text: about, isMuted: true },
    ];
    pdf.write({ name: 'H4' }, heading, { ...HEADING, beside: { text: String(seq), isMuted: true } });
    if (body !== '') for (const text of splitParagraphs(body)) pdf.write({ name: 'P' }, [{ text }], BODY);
    for (const { label, text } of notes) {
      const [first = '', ...rest] = splitParagraphs(text);
      pdf.write({ name: 'P' }, [{ text: `${label}: `, isMuted: true }, { text: isolated(first) }], NOTE);
      for (const more of rest) pdf.write({ name: 'P' }, [{ text: more }], NOTE);
    }
  }

  #endChat(): void {
    if (!this.#pages) return;
    this.#endDay();
    this.#pdf.close();
    this.#pdf.writeLater(this.#pages, formatCount(this.#pdf.pageInRunning));
    this.#pages = null;
  }
}

const NOTE_PLAIN = { ...NOTE, left: 0 };

const accessNames: Readonly<Record<string, string>> = { read: 'Reads', write: 'Reads and writes', manage: 'Manages' };

const PEOPLE_COLUMNS = [
  { title: 'Person', width: 180 },
  { title: 'Access', width: TEXT_WIDTH - 180 - 2 * 78 },
  { title: 'Delivered to', width: 78 },
  { title: 'Read to', width: 78 },
];

const CHAT_COLUMNS = [
  { title: 'No.', width: 30 },
  { title: 'Chat', width: TEXT_WIDTH - 30 - 96 - 76 - 62 },
  { title: 'Kind', width: 96 },
  { title: 'State', width: 76 },
  { title: 'Messages', width: 62 },
];

const HOW_TO_READ = [
  'Each message has its number in its chat, its author and the time at which the server took it. Under it stands what became of it: earlier texts, deletion, answers, reactions, calls and files. "Delivered to" and "Read to" are the numbers of the last messages that reached a person and that they read.',
  'A character that this file has no letters for stands as its Unicode number, such as [U+4E2D]. record.json, in the same archive, has every text as it was written.',
  'Pictures are shown small, the first 1,000 of them; the files are beside this one.',
  'A signed report stands with all that was signed; its SHA-256 is over the text as record.json has it.',
  'manifest.json lists the files of the archive with their SHA-256, and manifest.sig signs it. "npm run records -- verify FILE" tells whether anything was changed.',
];
