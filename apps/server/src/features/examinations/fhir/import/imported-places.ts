import type { Attachment } from '@wardline/contract/chat/attachments.ts';
import { REGIONS_MAX, Region } from '@wardline/contract/examinations/regions.ts';
import { Id } from '@wardline/contract/values.ts';
import { isSeenOnPictures, regionError } from '@wardline/examination/regions.ts';
import * as z from 'zod/mini';
import { idOf } from '#/platform/fhir/resources.ts';
import type { Origin } from '../../core/origin.ts';
import type { ImportedReport } from './imported-report.ts';

/** A picture that a finding of the file points to. */
interface NamedPicture {
  /** Of its Media in the file, and in the places. */
  readonly id: string;
  readonly name: string;
  /** In hexadecimal. */
  readonly sha256: string;
}

interface ImportedPlaces {
  readonly pictures: readonly NamedPicture[];
  /** By field of the form that is made of the file. */
  readonly regions: ReadonlyMap<string, readonly Region[]>;
}

const MOST_PICTURES = 200;
const NOWHERE: ImportedPlaces = { pictures: [], regions: new Map() };

/** What of a text that was signed says where; FHIR R4 has no element for it. */
const SignedPlaces = z.object({
  examination: Id,
  entries: z.array(z.object({ field: z.string(), regions: z.optional(z.array(Region)) })),
  pictures: z.array(z.object({ id: Id, name: z.string(), sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) })),
});

/** Where findings are seen, by the text that was signed, of which the identifier is the hash; nowhere where another product signed it. */
function placesOf({ presented, observations }: Pick<Origin, 'presented' | 'observations'>): ImportedPlaces {
  const { success, data } = SignedPlaces.safeParse(readJson(presented));
  if (!success || data.pictures.length > MOST_PICTURES) return NOWHERE;
  const fieldOf = new Map(observations);
  const regions = data.entries.flatMap(({ field, regions: places = [] }) => {
    const code = fieldOf.get(idOf(data.examination, field));
    return code !== undefined && places.length > 0 ? [[code, places] as const] : [];
  });
  return { pictures: data.pictures, regions: new Map(regions) };
}

function readJson(presented: Origin['presented']): unknown {
  const { data } = (presented ?? {}) as { readonly data?: string };
  try {
    return JSON.parse(Buffer.from(data ?? '', 'base64').toString('utf8'));
  } catch {
    return null;
  }
}

/** SHA-256 of the pictures that findings of a report point to, in hexadecimal. */
export function picturesPointedTo({ origin }: ImportedReport): string[] {
  return pointedTo(placesOf(origin)).map(({ sha256 }) => sha256);
}

function pointedTo({ pictures, regions }: ImportedPlaces): NamedPicture[] {
  const ids = new Set([...regions.values()].flat().map(({ attachment_id }) => attachment_id));
  return pictures.filter(({ id }) => ids.has(id));
}

/** The report with the places of its findings on pictures of the chat, which are known by their bytes; `media` are those that are there, in the file. */
export function withPlaces(
  report: ImportedReport,
  chat: ReadonlyMap<string, Attachment>,
): { readonly report: ImportedReport; readonly media: readonly string[] } {
  const places = placesOf(report.origin);
  const pointed = pointedTo(places);
  const there = new Map(
    pointed.flatMap(({ id, sha256 }) => {
      const file = chat.get(sha256);
      return file ? [[id, file] as const] : [];
    }),
  );
  const missing = pointed.filter(({ id }) => !there.has(id));
  const entries = report.entries.map((entry) => {
    const field = report.template.fields.find(({ code }) => code === entry.field);
    const own = field && isSeenOnPictures(report.template, field) ? (places.regions.get(entry.field) ?? []) : [];
    const regions = own.flatMap((region) => onPicture(region, there)).slice(0, REGIONS_MAX);
    return regions.length > 0 ? { ...entry, regions } : entry;
  });
  return {
    report: { ...report, entries, problems: [...report.problems, ...missing.map(({ name }) => notHere(name))] },
    media: [...there.keys()],
  };
}

function onPicture(region: Region, there: ReadonlyMap<string, Attachment>): Region[] {
  const file = there.get(region.attachment_id);
  const isOther = file?.kind === 'image' && (region.frame ?? 0) > 0;
  return file && !isOther && regionError(region) === null ? [{ ...region, attachment_id: file.id }] : [];
}

function notHere(name: string) {
  const message = `It points to ${name.slice(0, 200)}, which is not in this chat. Send that file here first, or the place is left out.`;
  return { column: null, code: 'PICTURE', message };
}
