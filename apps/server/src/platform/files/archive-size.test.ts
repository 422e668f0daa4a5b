import { expect, it } from 'vitest';
import writeSheet from 'write-excel-file/node';
import { unpacksWithin } from './archive-size.ts';

const cell = (value: string) => ({ type: String, value });
/** Six million letters that pack well. */
const manyLines = () => Array.from({ length: 2_000 }, (_, index) => [cell(`${index}${'x'.repeat(3_000)}`)]);

it('CEN-8 an archive is unpacked to see its size, and given up at the limit', async () => {
  const small = await writeSheet([[cell('MED 3A')]]).toBuffer();
  expect(unpacksWithin(small, 1_000_000)).toBe(true);
  expect(unpacksWithin(small, 1_000)).toBe(false);
  const big = await writeSheet(manyLines()).toBuffer();
  expect(big.length).toBeLessThan(400_000);
  expect(unpacksWithin(big, 4_000_000)).toBe(false);
});

it('CEN-8 an archive that lies about its sizes is seen through', async () => {
  const archive = await writeSheet(manyLines()).toBuffer();
  for (let at = archive.indexOf('PK\u0001\u0002'); at !== -1; at = archive.indexOf('PK\u0001\u0002', at + 4)) {
    archive.writeUInt32LE(1, at + 24);
  }
  expect(unpacksWithin(archive, 4_000_000)).toBe(false);
});

it('CEN-8 what is no archive, or is cut off, is none', async () => {
  expect(unpacksWithin(Buffer.from('unit_code,census_date'), 1_000)).toBe(false);
  expect(unpacksWithin(Buffer.alloc(0), 1_000)).toBe(false);
  const archive = await writeSheet([[cell('MED 3A')]]).toBuffer();
  expect(unpacksWithin(archive.subarray(0, archive.length - 30), 1_000_000)).toBe(false);
});
