// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { AboutScreen } from './about-screen.tsx';
import { about } from './content/about.ts';
import { landing } from './content/landing.ts';
import { LandingScreen } from './landing-screen.tsx';
import { PublicLayout } from './public-layout.tsx';

const hrefs = (name: string) => screen.queryAllByRole('link', { name }).map((link) => link.getAttribute('href'));

describe('NAV-1 the start page', () => {
  it('NAV-1 leads who is signed out to sign in, and to sign up only where anybody may', () => {
    const { rerender } = render(<LandingScreen content={landing} isSignedIn={false} isSignUpOpen={false} />);
    expect(hrefs('Sign in')).toEqual(['/sign-in', '/sign-in']);
    expect(hrefs('Sign up')).toEqual([]);
    expect(hrefs('Write to the operator')).toEqual(['/contacts']);
    rerender(<LandingScreen content={landing} isSignedIn={false} isSignUpOpen />);
    expect(hrefs('Sign up')).toEqual(['/sign-up']);
  });

  it('NAV-1 leads who is signed in to the dashboard, and not to sign in again', () => {
    render(<LandingScreen content={landing} isSignedIn isSignUpOpen />);
    expect(hrefs('Open dashboard')).toEqual(['/dashboard']);
    expect([...hrefs('Sign in'), ...hrefs('Sign up')]).toEqual([]);
  });

  it('SHELL-8 what is shown of the product says that its people are invented', () => {
    render(<LandingScreen content={landing} isSignedIn={false} isSignUpOpen={false} />);
    expect(screen.getByText('A case chat. The people in it are invented.')).toBeTruthy();
  });
});

describe('SHELL-3 the layout of public pages', () => {
  it('SHELL-3 head and foot lead to all public pages and mark the one that is open', () => {
    render(
      <PublicLayout productName="St. Brigid Chat" isSignedIn={false} path="/about">
        <h1>About</h1>
      </PublicLayout>,
    );
    expect(hrefs('St. Brigid Chat')).toEqual(['/']);
    expect(hrefs('Contacts')).toEqual(['/contacts', '/contacts']);
    const marked = screen.getAllByRole('link', { name: 'About' }).map((link) => link.getAttribute('aria-current'));
    expect(marked).toEqual(['page', 'page']);
    expect(screen.getByRole('link', { name: 'Skip to content' }).getAttribute('href')).toBe('#main');
    expect(document.getElementById('main')?.tagName).toBe('MAIN');
  });
});

describe('NAV-1 about', () => {
  it('NAV-9 each chapter has an address of its own, and the list on the page leads to it', () => {
    render(<AboutScreen content={about} />);
    for (const { id, title } of about.chapters) {
      expect(hrefs(title)).toEqual([`#${id}`]);
      expect(document.getElementById(id)?.querySelector('h2')?.textContent).toBe(title);
    }
  });
});
