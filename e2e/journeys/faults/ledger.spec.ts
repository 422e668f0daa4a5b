import { expect } from '@playwright/test';
import { test } from '../../support/journey.ts';
import { judge } from '../../support/ledger.ts';

const stored = [1, 2, 3].map((seq) => ({ seq, client_id: `id-${seq}`, body: `text ${seq}` }));
const acknowledged = stored.map(({ seq, client_id }) => ({ seq, clientId: client_id }));

test.describe('the judge of the fault tests sees each planted fault (R1, R2, R4, R5)', () => {
  test('R1 a clean run is clean', () => {
    expect(judge(acknowledged, stored)).toEqual({ acknowledged: 3, stored: 3, lost: 0, doubled: 0, gaps: 0 });
  });

  test('R1 an acknowledged message that is not stored is lost', () => {
    expect(judge(acknowledged, stored.slice(0, 2))).toMatchObject({ lost: 1, gaps: 1 });
  });

  test('R5 a message stored at another place than acknowledged counts as lost', () => {
    const moved = [{ ...stored[0], seq: 2 }, { ...stored[1], seq: 1 }, stored[2]].filter((row) => row !== undefined);
    expect(judge(acknowledged, moved as typeof stored)).toMatchObject({ lost: 2, gaps: 0 });
  });

  test('R4 a message stored twice is doubled', () => {
    const twice = [...stored, { seq: 4, client_id: 'id-4', body: 'text 3' }];
    expect(judge(acknowledged, twice)).toMatchObject({ doubled: 1, lost: 0, gaps: 0 });
  });

  test('R5 a missing seq is a gap', () => {
    expect(judge([], [stored[0], stored[2]] as typeof stored)).toMatchObject({ gaps: 1 });
  });
});
