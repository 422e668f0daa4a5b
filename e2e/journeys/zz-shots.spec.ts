import { test } from '@playwright/test';
import { fillSignIn, signIn } from '../support/browser-person.ts';
import { messageRow, openChat } from '../support/chat-page.ts';
import { signInOverHttp } from '../support/http-person.ts';
import { makeGroup, say } from '../support/new-chats.ts';
import { startWardline } from '../support/wardline-process.ts';
test('shots', async ({ browser }) => {
  test.setTimeout(240_000);
  const wardline = await startWardline();
  try {
    const doc = await signInOverHttp(wardline.baseUrl, 'doctor@demo.test');
    const nurse = await signInOverHttp(wardline.baseUrl, 'nurse@demo.test');
    const chat = await makeGroup(doc, [nurse], 'Night team');
    for (const [who, text] of [[doc, 'K 6.8 mmol/L, confirmed, not haemolysed. Calcium gluconate 10 % 30 mL IV now, then insulin 10 units with 25 g glucose.'], [nurse, 'At the bedside. Second line is in.'], [nurse, 'Who signs the insulin with me?'], [doc, 'I do. Two minutes, I am in the drug room.'], [nurse, 'Thank you.']] as const) await say(who, chat.chatId, text);
    const { data } = await doc.get<{ data: { id: string; body: string; seq: number }[] }>(`/api/chats/${chat.chatId}/messages`);
    const find = (t: string) => data.find(({ body }) => body.includes(t))?.id;
    const put = (who: typeof doc, t: string, code: string) => who.send('PUT', `/api/chats/${chat.chatId}/messages/${find(t)}/reactions/${code}`, { is_set: true });
    await put(nurse, 'K 6.8', 'seen'); await put(nurse, 'K 6.8', 'on_my_way'); await put(doc, 'At the bedside', 'thanks'); await put(doc, 'Two minutes', 'done'); await put(nurse, 'Two minutes', 'done');
    for (const dark of [false, true]) {
      const person = await signIn(browser, wardline.baseUrl, 'nurse@demo.test', { dark });
      const page = await openChat(person.page(), chat.path);
      await messageRow(page, 'Who signs').hover();
      await page.waitForTimeout(900);
      await page.screenshot({ path: `/tmp/changes-shots/desk-${dark ? 'dark' : 'light'}.png` });
      await messageRow(page, 'Who signs').getByRole('button', { name: 'More' }).click();
      await page.waitForTimeout(500);
      await page.screenshot({ path: `/tmp/changes-shots/desk-menu-${dark ? 'dark' : 'light'}.png` });
      await person.context.close();
      const context = await browser.newContext({ baseURL: wardline.baseUrl, colorScheme: dark ? 'dark' : 'light', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' });
      const phone = await context.newPage();
      await phone.goto('/sign-in');
      await fillSignIn(phone, 'nurse@demo.test');
      await phone.waitForURL(/dashboard/);
      await openChat(phone, chat.path);
      await phone.waitForTimeout(900);
      await phone.screenshot({ path: `/tmp/changes-shots/phone-${dark ? 'dark' : 'light'}.png` });
      await messageRow(phone, 'Who signs').getByRole('button', { name: 'More' }).tap();
      await phone.waitForTimeout(800);
      await phone.screenshot({ path: `/tmp/changes-shots/phone-menu-${dark ? 'dark' : 'light'}.png` });
      await context.close();
    }
  } finally {
    await wardline.stop();
  }
});
