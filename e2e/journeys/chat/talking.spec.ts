import { expect, type Page } from '@playwright/test';
import { failedLoad } from '../../support/browser/console-lines.ts';
import { type BrowserPerson, openSignedIn } from '../../support/browser-person.ts';
import { composer, listRow, messageRow, openChat, shownTexts, timeline, write } from '../../support/chat-page.ts';
import { type HttpPerson, signInOverHttp } from '../../support/http-person.ts';
import { test } from '../../support/journey.ts';
import { firstFacilityId, readAllMessages } from '../../support/ledger.ts';
import { makeCase, makeGroup, say } from '../../support/new-chats.ts';
import { NIGHTLY } from '../../support/nightly.ts';
import { startWardline, type WardlineProcess } from '../../support/servers/wardline-process.ts';

test.describe.configure({ mode: 'serial', timeout: 120_000 });

let wardline: WardlineProcess;
let doctor: BrowserPerson;
let nurse: BrowserPerson;
let doctorOverHttp: HttpPerson;
let nurseOverHttp: HttpPerson;
let brigidId: string;

test.beforeAll(async ({ browser }) => {
  wardline = await startWardline();
  doctorOverHttp = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
  nurseOverHttp = await signInOverHttp(wardline.baseUrl, 'nurse@demo.test');
  brigidId = await firstFacilityId(doctorOverHttp);
  doctor = await openSignedIn(browser, wardline.baseUrl, 'doctor@demo.test');
  nurse = await openSignedIn(browser, wardline.baseUrl, 'nurse@demo.test');
});
test.afterAll(async () => {
  await doctor?.context.close();
  await nurse?.context.close();
  await wardline?.stop();
});

interface ListedChat {
  readonly id: string;
  readonly facility_id: string;
  readonly title: string;
  readonly head_seq: number;
  readonly my: { readonly read_seq: number; readonly unread: number };
}

async function listedChat(person: HttpPerson, title: string): Promise<ListedChat> {
  const { chats } = await person.get<{ chats: ListedChat[] }>('/api/sync?limit=200');
  const found = chats.find((chat) => chat.title === title);
  if (found === undefined) throw new Error(`There is no chat ${title}.`);
  return found;
}

async function openFacility(person: BrowserPerson): Promise<Page> {
  const page = person.page();
  await page.goto(`/chat/f-${brigidId}`);
  await expect(page.getByRole('list', { name: 'Chats' })).toBeVisible();
  return page;
}

test('CHAT-10 a case chat needs two identifiers, says so at the fields, and is there for the other without a reload', async () => {
  const at = await openFacility(doctor);
  const other = await openFacility(nurse);
  await at.getByRole('button', { name: 'New chat' }).first().click();
  const dialog = at.getByRole('dialog', { name: 'New chat' });
  await dialog.getByRole('button', { name: 'Start chat' }).click();
  await expect(dialog.getByLabel('Patient’s name')).toHaveAccessibleDescription('Enter the patient’s name.');
  await expect(dialog.getByLabel('MRN or other ID')).toHaveAccessibleDescription(/A bed number is not an identifier/);
  await dialog.getByLabel('Patient’s name').fill('Wilhelmina Post');
  await dialog.getByLabel('Bed (optional)').fill('3A-09');
  await dialog.getByRole('button', { name: 'Start chat' }).click();
  await expect(dialog.getByLabel('MRN or other ID')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('MRN or other ID').fill('MRN 77-100-200');

  await dialog.getByLabel('Search people').fill('zzzz');
  await expect(dialog.getByText('No one found for “zzzz”.')).toBeVisible();
  await dialog.getByLabel('Search people').fill('reyes');
  await expect(dialog.getByRole('checkbox')).toHaveCount(1);
  await dialog.getByText('Ana Reyes').click();
  await expect(dialog.getByRole('button', { name: 'Remove Ana Reyes' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Start chat' }).click();

  await expect(dialog).toHaveCount(0);
  await expect(at.getByRole('heading', { name: 'Wilhelmina Post', level: 2 })).toBeVisible();
  await expect(at.getByRole('region', { name: 'Chat: Wilhelmina Post' })).toContainText('MRN 77-100-200');
  await expect(listRow(other, 'Wilhelmina Post')).toBeVisible();
  await listRow(other, 'Wilhelmina Post').click();
  await write(at, 'First words in a new chat');
  await expect(messageRow(other, 'First words in a new chat')).toBeVisible();
});

test('CHAT-10 a group chat needs a title and shows it', { tag: NIGHTLY }, async () => {
  const at = await openFacility(doctor);
  await at.getByRole('button', { name: 'New chat' }).first().click();
  const dialog = at.getByRole('dialog', { name: 'New chat' });
  await dialog.getByText('Team').click();
  await dialog.getByRole('button', { name: 'Start chat' }).click();
  await expect(dialog.getByLabel('Title')).toHaveAccessibleDescription('Enter a title.');
  await dialog.getByLabel('Title').fill('Weekend cover');
  await dialog.getByRole('button', { name: 'Start chat' }).click();
  await expect(at.getByRole('heading', { name: 'Weekend cover', level: 2 })).toBeVisible();
  await expect(at.getByRole('region', { name: 'Chat: Weekend cover' })).toContainText('Team · 1 person');
});

test('CHAT-5 unread rises for who is elsewhere, clears when read for 600 ms, and the sender sees by whom', async () => {
  const chat = await makeCase(doctorOverHttp, [nurseOverHttp], 'Unread Counter');
  const at = await openChat(doctor.page(), chat.path);
  const other = await openFacility(nurse);
  const row = listRow(other, 'Unread Counter');
  await expect(row).toContainText('created the chat');
  const before = await row.innerText();
  const already = /(\d+) unread/.exec(before)?.[1] ?? '0';
  for (let n = 1; n <= 3; n++) {
    await write(at, `Please look ${n}`);
    await expect(row).toContainText(`${Number(already) + n} unread`);
  }
  await expect(messageRow(at, 'Please look 3')).not.toContainText('Read by');

  const marked = other.waitForRequest((request) => {
    return request.url().endsWith('/markers') && /"read_seq":[1-9]/.test(request.postData() ?? '');
  });
  // When the words were first in the page, by the page's own clock.
  const seenAt = other.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (!document.querySelector('[role="log"]')?.textContent?.includes('Please look 3')) return;
          observer.disconnect();
          resolve(Date.now());
        };
        const observer = new MutationObserver(look);
        observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      }),
  );
  await row.click();
  const request = await marked;
  const visibleFrom = await seenAt;
  await request.response();
  expect(request.timing().startTime - visibleFrom).toBeGreaterThanOrEqual(590);
  await expect(row).not.toContainText('unread');
  await expect(messageRow(at, 'Please look 3')).toContainText('Read by 1');
});

test('CHAT-2 CHAT-13 what is written in turns stands in that order on both sides, and New stands over what was missed', async () => {
  const chat = await makeCase(doctorOverHttp, [nurseOverHttp], 'Turn By Turn');
  const at = await openChat(doctor.page(), chat.path);
  let other = await openChat(nurse.page(), chat.path);
  const wanted: string[] = [];
  for (let turn = 1; turn <= 6; turn++) {
    const [writer, reader] = turn % 2 === 1 ? [at, other] : [other, at];
    await write(writer, `Turn ${turn}`);
    await expect(messageRow(reader, `Turn ${turn}`)).toBeVisible();
    wanted.push(`Turn ${turn}`);
  }
  for (const page of [at, other]) expect(await shownTexts(page, 'Turn')).toEqual(wanted);
  await expect(messageRow(at, 'Turn 5')).toContainText('Read by 1');

  other = await openFacility(nurse);
  await write(at, 'Missed 1');
  await write(at, 'Missed 2');
  await expect(listRow(other, 'Turn By Turn')).toContainText('2 unread');
  await listRow(other, 'Turn By Turn').click();
  await expect(messageRow(other, 'Missed 2')).toBeVisible();
  const lines = (await timeline(other).innerText()).split('\n').map((line) => line.trim());
  const divider = lines.indexOf('New');
  expect(divider).toBeGreaterThan(lines.indexOf('Turn 6'));
  expect(divider).toBeLessThan(lines.indexOf('Missed 1'));
});

test('CHAT-13 a separator stands before each day of the facility’s zone, whatever the zone of the device', {
  tag: NIGHTLY,
}, async () => {
  const chat = await listedChat(nurseOverHttp, 'Unit day: MED 3A');
  const messages = (await readAllMessages(nurseOverHttp, chat.id)) as unknown as { created_at: string }[];
  const dayInDublin = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Dublin' });
  const wanted = [...new Set(messages.map(({ created_at }) => dayInDublin.format(new Date(created_at))))];
  const page = nurse.page();
  await page.goto(`/chat/f-${chat.facility_id}/c-${chat.id}`);
  const days = timeline(page).locator('.day time');
  await expect(timeline(page).getByRole('article').first()).toBeVisible();
  const seen = new Set<string>();
  await expect
    .poll(async () => {
      for (const day of await days.all()) seen.add((await day.getAttribute('datetime')) ?? '');
      await timeline(page).hover();
      await page.mouse.wheel(0, -600);
      return [...seen].sort();
    })
    .toEqual(wanted);
});

/** The seqs' texts and the place of the first message row that is wholly in view. */
async function anchorOf(page: Page): Promise<{ key: string; top: number }> {
  return await timeline(page).evaluate((box) => {
    const frame = box.getBoundingClientRect();
    for (const row of box.querySelectorAll('article')) {
      const { top, bottom } = row.getBoundingClientRect();
      if (top >= frame.top + 40 && bottom <= frame.bottom) return { key: row.textContent ?? '', top };
    }
    throw new Error('No message is in view.');
  });
}

async function topOf(page: Page, key: string): Promise<number | null> {
  return await timeline(page).evaluate((box, wanted) => {
    const row = [...box.querySelectorAll('article')].find((each) => each.textContent === wanted);
    return row?.getBoundingClientRect().top ?? null;
  }, key);
}

test('CHAT-13 a chat of 20,000 messages opens at its first unread, and scrolling back does not make it jump', {
  tag: NIGHTLY,
}, async () => {
  const chat = await listedChat(doctorOverHttp, 'Ward coordination');
  expect(chat.head_seq).toBeGreaterThanOrEqual(20_000);
  expect(chat.head_seq - chat.my.read_seq).toBeGreaterThan(200);
  const [firstUnread] = (
    await doctorOverHttp.get<{ data: { body: string }[] }>(
      `/api/chats/${chat.id}/messages?after=${chat.my.read_seq}&limit=1`,
    )
  ).data;
  const page = doctor.page();
  await page.goto(`/chat/f-${chat.facility_id}/c-${chat.id}`);
  await expect(timeline(page).getByText('New', { exact: true })).toBeInViewport();
  await expect(messageRow(page, (firstUnread?.body ?? '?').split('\n')[0] ?? '?').first()).toBeInViewport();

  // Every page of older messages is held back until it is known what is in view, and compared once it is there.
  const waiting: (() => void)[] = [];
  await page.route(/\/messages\?.*before=/, async (route) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    await route.continue();
  });
  await timeline(page).hover();
  const jumps: number[] = [];
  let mostRows = 0;
  for (let pages = 1; pages <= 4; pages++) {
    await expect
      .poll(async () => {
        if (waiting.length === 0) await page.mouse.wheel(0, -2_000);
        return waiting.length;
      })
      .toBeGreaterThan(0);
    await settled(page);
    const before = await anchorOf(page);
    const heightBefore = await timeline(page).evaluate((box) => box.scrollHeight);
    const arrived = page.waitForResponse(/\/messages\?.*before=/);
    for (const go of waiting.splice(0)) go();
    await arrived;
    await expect.poll(() => timeline(page).evaluate((box) => box.scrollHeight)).toBeGreaterThan(heightBefore + 1_000);
    await settled(page);
    jumps.push(Math.abs(((await topOf(page, before.key)) ?? Number.POSITIVE_INFINITY) - before.top));
    mostRows = Math.max(mostRows, await timeline(page).locator('li').count());
  }
  console.log(`CHAT-13 jumps while 4 pages were prepended: ${jumps.map((px) => px.toFixed(1)).join(', ')} px`);
  console.log(`CHAT-13 most rows in the document: ${mostRows}`);
  expect(Math.max(...jumps)).toBeLessThanOrEqual(2);
  expect(mostRows).toBeLessThan(200);
  await page.unroute(/\/messages\?.*before=/);

  const newest = page.getByRole('button', { name: /^Newest/ });
  await newest.click();
  const [last] = (
    await doctorOverHttp.get<{ data: { body: string }[] }>(
      `/api/chats/${chat.id}/messages?after=${chat.head_seq - 1}&limit=1`,
    )
  ).data;
  await expect(messageRow(page, (last?.body ?? '?').split('\n')[0] ?? '?').last()).toBeInViewport();
  await expect(newest).toHaveCount(0);
});

test('F-U4 NAV-9 the place in a chat is kept over another chat, Back and a reload', { tag: NIGHTLY }, async () => {
  const chat = await listedChat(doctorOverHttp, 'Ward coordination');
  const page = doctor.page();
  const path = `/chat/f-${chat.facility_id}/c-${chat.id}`;
  await page.goto(path);
  await settled(page);
  await timeline(page).hover();
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, -1_500);
      return timeline(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    })
    .toBeGreaterThan(9_000);
  await settled(page);
  const before = await anchorOf(page);
  const moved = async () => Math.abs(((await topOf(page, before.key)) ?? Number.POSITIVE_INFINITY) - before.top);

  const list = page.getByRole('list', { name: 'Chats' });
  await list.getByRole('link').filter({ hasNotText: 'Ward coordination' }).first().click();
  await expect(page.getByRole('heading', { name: 'Ward coordination', level: 2 })).toHaveCount(0);
  await listRow(page, 'Ward coordination').first().click();
  await expect.poll(moved).toBeLessThanOrEqual(2);

  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
  await page.evaluate(() => history.back());
  await expect.poll(moved).toBeLessThanOrEqual(2);

  await page.reload();
  await expect.poll(moved).toBeLessThanOrEqual(2);
});

test('F-U4 a keyboard or a tall composer leaves the newest message in view', async () => {
  const chat = await makeGroup(doctorOverHttp, [nurseOverHttp], 'Newest in view');
  for (let line = 1; line <= 30; line++) await say(doctorOverHttp, chat.chatId, `Line ${line} of a long talk`);
  const page = doctor.page();
  await page.goto(chat.path);
  const newest = messageRow(page, 'Line 30 of a long talk');
  await expect(newest).toBeInViewport({ ratio: 1 });
  await composer(page).fill(Array.from({ length: 8 }, (_, index) => `Row ${index}`).join('\n'));
  await settled(page);
  await expect(newest).toBeInViewport({ ratio: 1 });
  const size = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ ...size, height: size.height - 260 });
  await settled(page);
  await expect(newest).toBeInViewport({ ratio: 1 });
  await page.setViewportSize(size);
  await composer(page).fill('');
});

test('F-U4 typing in a tall composer leaves it there too where the browser does not size a box by its text', {
  tag: NIGHTLY,
}, async () => {
  const chat = await makeGroup(doctorOverHttp, [nurseOverHttp], 'Newest in view of an older browser');
  for (let line = 1; line <= 30; line++) await say(doctorOverHttp, chat.chatId, `Line ${line} of a long talk`);
  const page = await doctor.context.newPage();
  await page.addInitScript(() => {
    CSS.supports = () => false;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.growing { field-sizing: fixed !important }');
    document.adoptedStyleSheets = [sheet];
  });
  await page.goto(chat.path);
  await composer(page).fill(Array.from({ length: 8 }, (_, index) => `Row ${index}`).join('\n'));
  await composer(page).press('x');
  await settled(page);
  await expect(messageRow(page, 'Line 30 of a long talk')).toBeInViewport({ ratio: 1 });
  expect((await composer(page).boundingBox())?.height).toBeGreaterThan(150);
  await composer(page).fill('');
  await page.close();
});

/** Nothing in the chat has moved for ten frames. */
async function settled(page: Page): Promise<void> {
  await timeline(page).evaluate(
    (box) =>
      new Promise<void>((resolve) => {
        let before = -1;
        let still = 0;
        const look = () => {
          const now = box.scrollTop + box.scrollHeight;
          still = now === before ? still + 1 : 0;
          before = now;
          if (still >= 10) resolve();
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

test('CHAT-13 jump to newest counts what came while one read further up', { tag: NIGHTLY }, async () => {
  const chat = await makeGroup(doctorOverHttp, [nurseOverHttp], 'Long enough');
  for (let n = 1; n <= 60; n++)
    await say(doctorOverHttp, chat.chatId, `Line ${n} of a talk that does not fit the screen`);
  const at = await openChat(doctor.page(), chat.path);
  await expect(messageRow(at, 'Line 60 of')).toBeInViewport();
  await expect(at.getByRole('button', { name: /^Newest/ })).toHaveCount(0);
  await timeline(at).hover();
  await at.mouse.wheel(0, -1_500);
  const newest = at.getByRole('button', { name: /^Newest/ });
  await expect(newest).toBeVisible();
  await settled(at);
  const before = await anchorOf(at);
  await say(nurseOverHttp, chat.chatId, 'Came while you read above 1');
  await say(nurseOverHttp, chat.chatId, 'Came while you read above 2');
  await expect(newest).toContainText('2 below');
  expect(Math.abs(((await topOf(at, before.key)) ?? Number.POSITIVE_INFINITY) - before.top)).toBeLessThanOrEqual(2);
  await newest.click();
  await expect(messageRow(at, 'Came while you read above 2')).toBeInViewport();
  await expect(newest).toHaveCount(0);
});

test('CHAT-5 CHAT-12 the people of a chat: who is here now and how far each has read', { tag: NIGHTLY }, async () => {
  const chat = await makeCase(doctorOverHttp, [nurseOverHttp], 'People Dialog');
  const at = await openChat(doctor.page(), chat.path);
  await openFacility(nurse);
  await write(at, 'Who has seen this?');
  await at.getByRole('button', { name: '2 people in this chat' }).click();
  const dialog = at.getByRole('dialog', { name: '2 people in this chat' });
  const [me, ana] = [
    dialog.getByRole('listitem').filter({ hasText: 'Dr. Mira Okafor (you)' }),
    dialog.getByRole('listitem').filter({ hasText: 'Ana Reyes' }),
  ];
  await expect(me).toBeVisible();
  await expect(ana).toContainText('unread');
  await expect(ana).not.toContainText('Here now');
  await openChat(nurse.page(), chat.path);
  await expect(ana).toContainText('Here now');
  await expect(ana).toContainText('has read everything');
  await nurse.page().goto('/dashboard');
  await expect(ana).not.toContainText('Here now');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toHaveCount(0);
});

test('F-U5 people are added, given more and taken out from the dialog, and leave it, live for everybody', async () => {
  // Who is no longer in a chat hears of it after what the page asked for meanwhile.
  for (const person of [doctor, nurse]) {
    const why = 'taken out, or left';
    person.allowConsole(/^warning: The channel chat\.\{chat\} was refused with status 403/, why);
    person.allowConsole(failedLoad(403, '/broadcasting/auth'), why);
    person.allowConsole(failedLoad(404, '/api/chats/{chat}/*'), why);
  }
  const chat = await makeGroup(doctorOverHttp, [nurseOverHttp], 'Coming and going');
  const at = await openChat(doctor.page(), chat.path);
  const other = await openChat(nurse.page(), chat.path);
  await at.setViewportSize({ width: 390, height: 844 });
  await at.getByRole('button', { name: '2 people in this chat' }).focus();
  await at.keyboard.press('Enter');
  await at.getByRole('dialog').getByRole('button', { name: 'Add people' }).press('Enter');
  const adding = at.getByRole('dialog', { name: 'Add people' });
  await adding.getByLabel('Search people').fill('pharm');
  await adding.getByRole('checkbox', { name: /^Priya Nair/ }).press('Space');
  await adding.getByRole('button', { name: 'Add to chat' }).press('Enter');
  const people = at.getByRole('dialog', { name: '3 people in this chat' });
  await expect(people.getByRole('listitem').filter({ hasText: 'Priya Nair' })).toBeVisible();

  await other.getByRole('button', { name: '3 people in this chat' }).click();
  const seen = other.getByRole('dialog', { name: '3 people in this chat' });
  await expect(seen).toContainText('You can’t add or remove people here. Ask Dr. Mira Okafor.');
  await expect(seen.getByRole('button', { name: 'Add people' })).toHaveCount(0);
  await people.getByRole('button', { name: 'What Ana Reyes may do' }).press('Enter');
  await at.getByRole('menuitemradio', { name: 'Manages the chat' }).press('Enter');
  await expect(seen.getByRole('button', { name: 'Add people' })).toBeVisible();
  await expect(seen).not.toContainText('You can’t add or remove');

  await seen.getByRole('button', { name: 'What Priya Nair may do' }).click();
  await other.getByRole('menuitem', { name: 'Remove from chat' }).click();
  await other.getByRole('dialog', { name: 'Remove Priya Nair?' }).getByRole('button', { name: 'Remove' }).click();
  const two = at.getByRole('dialog', { name: '2 people in this chat' });
  await expect(two.getByRole('listitem').filter({ hasText: 'Priya Nair' })).toHaveCount(0);

  await two.getByRole('button', { name: 'Leave chat' }).press('Enter');
  await at.getByRole('dialog', { name: 'Leave this chat?' }).getByRole('button', { name: 'Leave chat' }).press('Enter');
  await expect(at).toHaveURL(new RegExp(`/chat/f-${chat.facilityId}$`));
  await expect(listRow(at, 'Coming and going')).toHaveCount(0);
  await at.setViewportSize({ width: 1280, height: 720 });
  await expect(other.getByRole('dialog', { name: '1 person in this chat' })).toBeVisible();
  await other.keyboard.press('Escape');
  await expect(timeline(other)).toContainText('Dr. Mira Okafor left the chat');
});

test('F-U5 the day stays in view while one reads back, and a time shows its exact form at a press and on focus', {
  tag: NIGHTLY,
}, async () => {
  const ward = await listedChat(nurseOverHttp, 'Ward coordination');
  const at = await openChat(nurse.page(), `/chat/f-${ward.facility_id}/c-${ward.id}`);
  await settled(at);
  const day = at.locator('.older time');
  const days = new Set<string>();
  for (let turn = 0; turn < 30 && days.size < 2; turn++) {
    await timeline(at).hover();
    await at.mouse.wheel(0, -2_000);
    await settled(at);
    if (await day.isVisible()) days.add((await day.textContent()) ?? '');
  }
  expect([...days].every((text) => /^[A-Z][a-z]{2},? /.test(text))).toBe(true);
  expect(days.size).toBeGreaterThan(1);

  const exact = at.locator('.m-exact:visible');
  await expect(exact).toHaveCount(0);
  await at.locator('.m-head .m-when').first().click();
  await expect(exact).toHaveText(/\d{4}.*\d{1,2}:\d{2}:\d{2}/);
  // Older messages may come in between, and other rows with them.
  await expect(async () => {
    await timeline(at).focus();
    await expect(exact).toHaveCount(0);
    await at.keyboard.press('Tab');
    await expect(exact).toHaveCount(1, { timeout: 1000 });
  }).toPass();
  const first = await exact.textContent();
  await at.keyboard.press('ArrowUp');
  await expect(exact).toHaveCount(1);
  await expect(exact).not.toHaveText(first ?? '');
});

test('A16 PERM-2 the two facilities of one person are kept apart', async () => {
  const inHarbour = await listedChat(nurseOverHttp, 'Harbour clinic nurses');
  const inBrigid = await listedChat(nurseOverHttp, 'MED 3A night team');
  const page = nurse.page();
  await page.goto('/chat');
  await expect(page.getByRole('heading', { name: 'Chat', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: /Harbour District Clinic/ }).click();
  await expect(listRow(page, 'Harbour clinic nurses')).toBeVisible();
  await expect(listRow(page, 'MED 3A night team')).toHaveCount(0);

  // A chat opened under the other facility's address is not open, though both are mine.
  await page.goto(`/chat/f-${inHarbour.facility_id}/c-${inBrigid.id}`);
  await expect(page.getByRole('heading', { name: 'You don’t have access to this chat' })).toBeVisible();
  await expect(timeline(page)).toHaveCount(0);
  await expect(composer(page)).toHaveCount(0);

  await page.getByRole('button', { name: 'New chat' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New chat' });
  await dialog.getByLabel('Search people').fill('a');
  await expect(dialog.getByText('Petra Hollander')).toBeVisible();
  await expect(dialog.getByText('Dr. Mira Okafor')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});
