import './summary.css';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { SummaryPage } from './summary-page.tsx';

/** The compiled census; its address carries the period and what is being printed. */
export function SummaryScreen({ facility }: { facility: Facility }) {
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  const navigate = useNavigate();
  return (
    <SummaryPage
      facility={facility}
      search={new URLSearchParams(search)}
      onGo={(next, { isSamePlace } = { isSamePlace: false }) =>
        void navigate({ href: `/census-summary?${next}`, resetScroll: false, replace: isSamePlace })
      }
    />
  );
}
