import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** HB_SUBSET_FLAGS_RETAIN_GIDS: glyphs keep their numbers, which are written into pages before it is known which are used. */
const RETAIN_GLYPH_NUMBERS = 0x2;
/** HB_SUBSET_SETS_DROP_TABLE_TAG */
const DROPPED_TABLES = 3;
/** A page has shaped glyphs: how they are shaped is of no use to its reader. */
const SHAPING_TABLES = ['GSUB', 'GPOS', 'GDEF', 'BASE', 'STAT', 'MATH'];
const WRITABLE = 1;

/** What is used of harfbuzz-subset.wasm; numbers are addresses in its memory. */
interface SubsetModule {
  readonly memory: { readonly buffer: ArrayBuffer };
  _initialize(): void;
  malloc(bytes: number): number;
  free(address: number): void;
  hb_blob_create(data: number, bytes: number, mode: number, user: number, destroy: number): number;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_blob_destroy(blob: number): void;
  hb_face_create(blob: number, index: number): number;
  hb_face_reference_blob(face: number): number;
  hb_face_destroy(face: number): void;
  hb_set_add(set: number, value: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_glyph_set(input: number): number;
  hb_subset_input_set(input: number, kind: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_input_destroy(input: number): void;
  hb_subset_or_fail(face: number, input: number): number;
}

interface WebAssemblyHost {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

let loaded: SubsetModule | null = null;

function loadSubset(): SubsetModule {
  if (loaded) return loaded;
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyHost }).WebAssembly;
  const file = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm');
  loaded = new Instance(new Module(readFileSync(file))).exports as SubsetModule;
  loaded._initialize();
  return loaded;
}

/** A TrueType font that draws the named glyphs and those that they are made of, each under the number that it had. Throws where the font cannot be read. */
export function subsetFont(font: Uint8Array, glyphs: Iterable<number>): Buffer {
  const hb = loadSubset();
  const data = hb.malloc(font.length);
  new Uint8Array(hb.memory.buffer).set(font, data);
  const whole = hb.hb_blob_create(data, font.length, WRITABLE, 0, 0);
  const face = hb.hb_face_create(whole, 0);
  const input = hb.hb_subset_input_create_or_fail();
  hb.hb_subset_input_set_flags(input, RETAIN_GLYPH_NUMBERS);
  for (const glyph of glyphs) hb.hb_set_add(hb.hb_subset_input_glyph_set(input), glyph);
  const dropped = hb.hb_subset_input_set(input, DROPPED_TABLES);
  for (const tag of SHAPING_TABLES) hb.hb_set_add(dropped, Buffer.from(tag, 'latin1').readUInt32BE());
  const subset = hb.hb_subset_or_fail(face, input);
  if (subset === 0) throw new Error('a font could not be subset');
  const blob = hb.hb_face_reference_blob(subset);
  const at = hb.hb_blob_get_data(blob, 0);
  const bytes = Buffer.from(new Uint8Array(hb.memory.buffer, at, hb.hb_blob_get_length(blob)));
  hb.hb_blob_destroy(blob);
  hb.hb_face_destroy(subset);
  hb.hb_subset_input_destroy(input);
  hb.hb_face_destroy(face);
  hb.hb_blob_destroy(whole);
  hb.free(data);
  return bytes;
}
