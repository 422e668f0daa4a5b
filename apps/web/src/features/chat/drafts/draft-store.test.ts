// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { describe, expect, it } from 'vitest';
import { clearDrafts } from './clear-drafts.ts';
import { draftsOf, openDrafts } from './draft-store.ts';

describe('CHAT-10 unsent text', () => {
  it('belongs to one chat', () => {
    const drafts = openDrafts('ana');
    drafts.write('chat-1', 'for Edith');
    expect(drafts.read('chat-1')).toBe('for Edith');
    expect(drafts.read('chat-2')).toBe('');
  });

  it('survives a reload of the tab', () => {
    openDrafts('ana').write('chat-1', 'half a sentence');
    expect(openDrafts('ana').read('chat-1')).toBe('half a sentence');
  });

  it('is never another person’s, and is gone when another signs in', () => {
    openDrafts('ana').write('chat-1', 'mine');
    expect(openDrafts('ben').read('chat-1')).toBe('');
    expect(openDrafts('ana').read('chat-1')).toBe('');
  });

  it('tells of each write, and reads what the tab kept once', () => {
    sessionStorage.setItem('wardline-draft:ana:chat-1', 'kept');
    const drafts = openDrafts('ana');
    const heard: string[] = [];
    const undo = drafts.writes.subscribe(() => heard.push(drafts.read('chat-1')));
    expect(drafts.read('chat-1')).toBe('kept');
    drafts.write('chat-1', 'kept and more');
    undo();
    drafts.write('chat-1', 'unheard');
    expect(heard).toEqual(['kept and more']);
  });

  it('leaves nothing behind once it was sent', () => {
    const drafts = openDrafts('ana');
    drafts.write('chat-1', 'x');
    drafts.write('chat-1', '');
    expect(sessionStorage.length).toBe(0);
    expect(drafts.read('chat-1')).toBe('');
  });

  it('ACC-6 is forgotten at sign-out, in memory too', () => {
    draftsOf('ana').write('chat-1', 'x');
    clearDrafts();
    expect(sessionStorage.length).toBe(0);
    expect(draftsOf('ana').read('chat-1')).toBe('');
  });

  it('lives in memory where the tab’s storage is closed', () => {
    const drafts = openDrafts('ana', null);
    drafts.write('chat-1', 'kept');
    expect(drafts.read('chat-1')).toBe('kept');
  });
});
