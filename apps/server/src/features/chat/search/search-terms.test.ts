import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isNightly } from '#/testing/nightly.ts';
import { testDatabase } from '#/testing/test-database.ts';
import { foldText, keyQuery, sequencesOf, tokenize, toTerms } from './search-terms.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

async function inDatabase(texts: readonly string[]): Promise<{ folded: string; tokens: string[] }[]> {
  const { rows } = await sql<{ folded: string; tokens: string[] }>`
    select fold_text(said) as folded, text_tokens(said) as tokens
    from unnest(${texts}::text[]) with ordinality as t (said, place) order by place`.execute(database.db);
  return rows;
}

describe('what was typed', () => {
  test('CHAT-15 is folded and taken apart as the database does it, for clinical and foreign texts', async () => {
    const texts = [
      'K 3.8, Na/K; pH 7,35 — Hb↓ 12 g/dL, 5 µg & 5 μg, SpO₂ 96 %, ½ Tbl., 10⁹/l',
      'Fièvre à 39°C, PÉRICARDITE; Ärzte, Straße, ŁÓDŹ, Ørsted, Ægir, Þór, Œdème, İstanbul, ısı',
      'ΣΟΦΟΣ, Ἀθῆναι, ОТЁК лёгких, 心電図, ﬁbrillation, e\u0301tat, ①, x²',
      "it's; a_b; a-b; @all #9 'quoted' \"said\"",
    ];
    const stored = await inDatabase(texts);
    for (const [index, text] of texts.entries()) {
      expect(foldText(text), text).toBe(stored[index]?.folded);
      expect(
        tokenize(foldText(text)).map(({ word }) => word),
        text,
      ).toEqual(stored[index]?.tokens);
    }
    expect(tokenize(foldText('Fièvre, SpO₂')).map(({ word }) => word)).toEqual(['fievre', 'spo2']);
  });

  test('CHAT-15 is folded as the database does it, for any letters of Europe', async () => {
    const letter = fc.integer({ min: 0x20, max: 0x24f }).map((code) => String.fromCodePoint(code));
    const texts = fc.sample(fc.string({ unit: letter, maxLength: 40 }), isNightly ? 5_000 : 500);
    const stored = await inDatabase(texts);
    for (const [index, text] of texts.entries()) expect(foldText(text), text).toBe(stored[index]?.folded);
  });

  test('CHAT-15 becomes terms: short ones whole, three letters from the start, longer ones anywhere, quoted ones whole', () => {
    expect(toTerms('K na ECG Kalem "Bed 9" "card"')).toEqual([
      { tokens: ['k'], match: 'whole', text: 'k' },
      { tokens: ['na'], match: 'whole', text: 'na' },
      { tokens: ['ecg'], match: 'start', text: 'ecg' },
      { tokens: ['kalem'], match: 'part', text: 'kalem' },
      { tokens: ['bed', '9'], match: 'whole', text: 'bed 9' },
      { tokens: ['card'], match: 'whole', text: 'card' },
    ]);
    expect(toTerms('3.8 x-ray k K')).toEqual([
      { tokens: ['3', '8'], match: 'whole', text: '3.8' },
      { tokens: ['x', 'ray'], match: 'start', text: 'x-ray' },
      { tokens: ['k'], match: 'whole', text: 'k' },
    ]);
    expect(toTerms(':* ! & | "" “ ” %')).toEqual([]);
    expect(toTerms('"open end').map(({ tokens }) => tokens)).toEqual([['open'], ['end']]);
  });

  test('CHAT-15 asks the index for keys, and for the order of words where it counts', () => {
    const terms = toTerms('K "Bed 9" ECG kalem x-ray');
    expect(keyQuery(terms)).toBe(
      "'@=k' & '@=bed' & '@=9' & '@=ecg':* & ('@=kalem':* | '@~kalem':*) & '@=x' & '@=ray':*",
    );
    expect(sequencesOf(terms)).toEqual([' bed 9 ', ' x ray']);
  });

  test('A40 A41 is a query that PostgreSQL reads, whatever was typed', async () => {
    const typed = fc.sample(fc.string({ unit: 'grapheme', maxLength: 60 }), isNightly ? 5_000 : 500);
    const signs = fc.sample(fc.string({ unit: fc.constantFrom(...`'"\\:*!&|()<->@=~%_ kA9é`), maxLength: 30 }), 500);
    const queries = [...typed, ...signs].map((text) => keyQuery(toTerms(text))).filter((query) => query !== '');
    const read = await sql<{ count: number }>`
      select count(query::tsquery) as count from unnest(${queries}::text[]) as query`.execute(database.db);
    expect(read.rows[0]?.count).toBe(queries.length);
  });
});
