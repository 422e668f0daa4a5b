import { useLocation, useRouter } from '@tanstack/react-router';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useEffect, useState } from 'react';

/** Said once, on the page to which the link of an address has led; the address then forgets it. */
export function VerifiedNotice() {
  const router = useRouter();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isVerified = useLocation({ select: ({ searchStr }) => new URLSearchParams(searchStr).get('verified') === '1' });
  const [saidOn, setSaidOn] = useState<string | null>(null);
  useEffect(() => {
    if (!isVerified) return;
    setSaidOn(path);
    void router.navigate({ href: path, replace: true });
  }, [isVerified, path, router]);
  useEffect(() => {
    if (saidOn !== null && saidOn !== path) setSaidOn(null);
  }, [saidOn, path]);
  if (saidOn !== path) return null;
  return (
    <Banner tone="success" isFlush>
      Your address is verified.
    </Banner>
  );
}
