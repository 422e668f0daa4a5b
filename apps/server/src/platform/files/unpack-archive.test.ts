import { expect, it } from 'vitest';
import writeSheet from 'write-excel-file/node';
import { unpackArchive } from './unpack-archive.ts';

const cell = (value: string) => ({ type: String, value });
/** Six million letters that pack well. */
const manyLines = () => Array.from({ length: 2_000 }, (_, index) => [cell(`${index}${'x'.repeat(3_000)}`)]);

it('CEN-8 an archive is unpacked to see its size, and given up at the limit', async () => {
  const small = await writeSheet([[cell('MED 3A')]]).toBuffer();
  const files = unpackArchive(small, 1_000_000);
  expect(files?.get('xl/sharedStrings.xml')?.toString()).toContain('MED 3A');
  expect(unpackArchive(small, 1_000)).toBeNull();
  const big = await writeSheet(manyLines()).toBuffer();
  expect(big.length).toBeLessThan(400_000);
  expect(unpackArchive(big, 4_000_000)).toBeNull();
});

it('CEN-8 an archive that lies about its sizes is seen through', async () => {
  const archive = await writeSheet(manyLines()).toBuffer();
  for (let at = archive.indexOf('PK\u0001\u0002'); at !== -1; at = archive.indexOf('PK\u0001\u0002', at + 4)) {
    archive.writeUInt32LE(1, at + 24);
  }
  expect(unpackArchive(archive, 4_000_000)).toBeNull();
});

it('CEN-8 what is no archive, or is cut off, is none', async () => {
  expect(unpackArchive(Buffer.from('unit_code,census_date'), 1_000)).toBeNull();
  expect(unpackArchive(Buffer.alloc(0), 1_000)).toBeNull();
  const archive = await writeSheet([[cell('MED 3A')]]).toBuffer();
  const cut = archive.subarray(0, archive.length - 30);
  expect(unpackArchive(cut, 1_000_000)).toBeNull();
  // Where the end would be counted from, the time of the first file stands: at midnight, as here, that reads as no files.
  cut.writeUInt16LE(0, 10);
  expect(unpackArchive(cut, 1_000_000)).toBeNull();
});
