import { MessageSquareText, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#/button/button.tsx';
import { Card } from '#/card/card.tsx';
import { Banner, type BannerTone } from '#/notice/banner.tsx';
import { EmptyState } from '#/notice/empty-state.tsx';
import { ErrorState } from '#/notice/error-state.tsx';
import { every, type Specimen } from '../specimen.ts';

const TONES = every<BannerTone>({
  info: true,
  warning: true,
  error: true,
  success: true,
  primary: true,
  neutral: true,
});
const LABELS: Readonly<Record<BannerTone, { title: string; text: string }>> = {
  info: { title: 'Signed out.', text: 'Your session ended; your draft is kept.' },
  warning: { title: 'Transfer gap 1.', text: 'SUR 2B sent 2 to ONC, ONC received 1.' },
  error: { title: 'ICU is missing.', text: '7 h 42 min late.' },
  success: { title: 'Locked.', text: 'Wed 18 Nov, 8 of 8 units.' },
  primary: { title: 'New.', text: 'Search reaches people now.' },
  neutral: { title: 'Offline.', text: '3 messages will send when you’re back online.' },
};

function Banners() {
  return (
    <div className="stack">
      {TONES.map((tone) => (
        <Banner tone={tone} title={LABELS[tone].title} announce="none" key={tone}>
          {LABELS[tone].text}
        </Banner>
      ))}
      <Banner
        tone="warning"
        title="1 message has waited 26 h."
        announce="none"
        action={
          <Button variant="outline" color="neutral">
            Copy
          </Button>
        }
      >
        It is kept on this device. Check the connection, or copy it.
      </Banner>
      <Banner tone="neutral" isFlush announce="none">
        Across the whole width above a page.
      </Banner>
    </div>
  );
}

function Empty() {
  return (
    <div className="g-grid">
      <Card>
        <EmptyState
          icon={MessageSquareText}
          title="No chats yet"
          level={3}
          action={
            <Button variant="outline" color="neutral" icon={Plus}>
              New chat
            </Button>
          }
        >
          Chats you are added to show here. Start one for a patient or a team.
        </EmptyState>
      </Card>
      <Card>
        <EmptyState title="Nothing waits for you" level={3} />
      </Card>
    </div>
  );
}

function Failed() {
  const [isRetrying, setIsRetrying] = useState(false);
  return (
    <Card>
      <ErrorState
        title="The heat map did not load"
        level={3}
        message="The server did not answer in 15 s. What you see elsewhere is up to date."
        onRetry={() => setIsRetrying(!isRetrying)}
        isRetrying={isRetrying}
        detail="request 8f2c-41d0"
      />
    </Card>
  );
}

export const specimen: Specimen = {
  id: 'notices',
  title: 'Banners and states',
  group: 'Feedback',
  cases: [
    { name: 'Banner', Show: Banners },
    { name: 'Nothing there', Show: Empty },
    { name: 'A panel that failed', Show: Failed },
  ],
};
