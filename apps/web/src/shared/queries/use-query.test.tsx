// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { setOnline } from '#/testing/fake-app.tsx';
import { createQueries, QueriesContext } from './queries-context.ts';
import { useQuery } from './use-query.ts';

function Answer() {
  const { data = 'nothing yet' } = useQuery({ queryKey: ['answer'], queryFn: async () => 'an answer' });
  return data;
}

function open() {
  const queries = createQueries();
  const view = render(
    <QueriesContext value={queries}>
      <Answer />
    </QueriesContext>,
  );
  return () => {
    view.unmount();
    queries.end();
  };
}

it('OFF-1 who signs in after somebody left without a network is answered, though the network came back in between', async () => {
  const leave = open();
  expect(await screen.findByText('an answer')).toBeTruthy();
  setOnline(false);
  leave();
  setOnline(true);
  open();
  expect(await screen.findByText('an answer')).toBeTruthy();
});
