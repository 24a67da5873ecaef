import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { MAILBOX_PASSWORD, plantAddress } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import type { Page } from 'playwright-core'
import { browserTest, type Visit } from '../lib/browser.ts'
import { startTcpProxy, type TcpProxy } from '../lib/tcp-proxy.ts'
import { until } from '../lib/waiting.ts'
import { letter, type Mailbox, type MailSite, startMailSite } from './mail-page.ts'
import { chooseFor, confirm, dialogOf, fits, look, takeSecret } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

const EMAIL = 'mia@harbour.test'
const ALIAS = 'office@harbour.test'

let site: MailSite
/** The browser comes through it, so that the line can be cut. */
let line: TcpProxy
let mia: Mailbox
before(async () => {
  const service = await startMailSite()
  const { hostname, port } = new URL(service.url)
  line = await startTcpProxy({ host: hostname, port: Number(port) })
  site = { ...service, url: `http://${hostname}:${line.port}` }
  const { id } = await site.signUp()
  await plantAddress(site.database, EMAIL, { accountId: id, aliases: [ALIAS], now: site.clock.now() })
  mia = await signedIn()
  const { client } = mia
  await client.post('/api/mail/filters', { name: 'Newsletters of everybody who ever wrote to me', script: 'keep;' })
  await client.post('/api/mail/app-passwords', { name: 'A phone with a rather long name for a phone' })
})
after(async () => {
  await site.close()
  await line.close()
})

const signedIn = async (): Promise<Mailbox> => {
  const client = site.client()
  const answer = await client.post('/api/mail/login', { email: EMAIL, password: MAILBOX_PASSWORD })
  return { address: answer.body, client }
}
const read = async (path: string) => (await mia.client.get(`/api/mail/${path}`)).body
const said = (page: Page, text: string) => page.getByText(text).first().waitFor()
const section = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const titled = (page: Page, pattern: RegExp) =>
  page.waitForFunction((source) => new RegExp(source).test(document.title), pattern.source)

describe('settings of a mailbox', () => {
  browserTest('all that is set holds, and what happens elsewhere is seen at once', {}, async (visit) => {
    await signIn(visit)
    await changeGeneral(visit)
    await writeIdentity(visit)
    await answerOnVacation(visit)
    await editLabel(visit)
    await keepContacts(visit)
    await blockSender(visit)
    await restoreDeleted(visit)
    await signOutElsewhere(visit.page)
    await makeAndEndAppPassword(visit.page)
    await followOtherTabs(visit)
    await loseLine(visit)
    await onPhoneInTheDark(visit, () => fitPhone(visit))
    await followNotification(visit.page)
    // A session that is ended elsewhere leaves
    assert.deepEqual((await mia.client.post('/api/mail/sessions/revoke-others')).body.revoked, 1)
    await visit.page.getByRole('heading', { name: 'Sign in to your mailbox' }).waitFor()
    visit.expectProblem(/40[01]/)
  })
})

/** A wrong password says so and keeps the address; the right one leads to the asked page. */
const signIn = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.goto(`${site.url}/webmail/settings?section=vacation`)
  await page.getByLabel('Email address').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill('a wrong password')
  const refusal = { statusCode: 429, name: 'rate_limit_exceeded', message: 'Too many wrong passwords.' }
  await page.route('**/api/mail/login', (route) => route.fulfill({ status: 429, json: refusal }), { times: 1 })
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('Too many sign-in attempts').waitFor()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('Wrong email address or password').waitFor()
  await look(visit, 'mail-webmail-sign-in')
  assert.equal(await page.getByLabel('Email address').inputValue(), EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(MAILBOX_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Automatic reply' }).waitFor()
  visit.expectProblem(/401|429/)
  await section(page, 'General')
}

/** Saved as chosen, refused where it is wrong, and found by other words, which leads on to the vacation. */
const changeGeneral = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.getByLabel('Below the list').check()
  await page.getByLabel('Compact').check()
  await page.getByLabel('Group messages into conversations').uncheck()
  await page.getByLabel('Mark as read').selectOption('Manually')
  await page.getByLabel('Undo send').selectOption('30 seconds')
  await page.getByLabel('Junk digest').selectOption('Every week')
  await page.getByLabel('Always show images from').fill('nobody')
  await page.getByLabel('Always show images from').press('Enter')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText(/Must be an email address, or a domain/).waitFor()
  await look(visit, 'mail-webmail-settings')
  assert.equal((await read('settings')).undo_seconds, 20)
  await section(page, 'Automatic reply')
  await confirm(page, 'Cancel')
  await page.getByRole('button', { name: 'Remove nobody' }).click()
  await page.getByLabel('Always show images from').fill('@Example.org')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.keyboard.press('ControlOrMeta+s')
  await said(page, 'Settings saved')
  const { object: _, ...saved } = await read('settings')
  assert.deepEqual(saved, {
    show_images: 'ask',
    image_senders: ['@example.org'],
    undo_seconds: 30,
    page_size: 50,
    conversations: false,
    density: 'compact',
    reading_pane: 'below',
    compose_format: 'html',
    mark_read_seconds: null,
    digest: 'weekly',
  })
}

/** The signature is formatted; addresses of others are refused. */
const writeIdentity = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await section(page, 'Identities and signatures')
  await page.getByRole('button', { name: 'New identity' }).click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Name').fill('Harbour office')
  await dialog.getByLabel('Email address').fill('someone@else.test')
  await dialog.getByRole('textbox', { name: 'Signature' }).click()
  await page.keyboard.insertText('Mia ')
  await page.keyboard.press('ControlOrMeta+b')
  await page.keyboard.insertText('Harbour')
  await fits(visit, 'mail-webmail-identity', 'dialog')
  await dialog.getByRole('button', { name: 'Create identity' }).click()
  await dialog.getByText(/can't send as someone@else.test/).waitFor()
  await dialog.getByLabel('Email address').fill(ALIAS)
  await dialog.getByLabel('Use by default').check()
  await confirm(page, 'Create identity')
  const made = (await read('identities')).data.find(({ email }: { email: string }) => email === ALIAS)
  assert.deepEqual(
    [made.name, made.signature_html, made.signature_text, made.is_default],
    ['Harbour office', '<p>Mia <strong>Harbour</strong></p>', 'Mia Harbour', true],
  )
  await chooseFor(page, 'Harbour office', 'Delete identity')
  await confirm(page, 'Delete identity')
  assert.equal((await read('identities')).data.length, 1)
}

/** A sender during a vacation gets the reply. */
const answerOnVacation = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('out of office')
  await page.getByRole('button', { name: "Reply while you're away" }).click()
  await page.getByRole('heading', { name: 'Automatic reply' }).waitFor()
  await page.waitForURL(/section=vacation/)
  await page.getByLabel('Reply automatically').check()
  const today = await page.evaluate(() => new Date().toLocaleDateString('sv'))
  await page.getByLabel('First day').fill(today)
  await page.getByLabel('Last day').fill(today)
  await page.getByLabel('Subject').fill('Sailing until Monday')
  await page.getByRole('textbox', { name: /^Reply/ }).fill('I am at sea.')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await said(page, 'Active')
  await fits(visit, 'mail-webmail-vacation')
  const { from_date: from, to_date: to } = await read('vacation')
  assert.equal(new Date(to).getTime() - new Date(from).getTime(), 86_400_000)
  await site.deliver({ from: 'ann@outside.test', to: [EMAIL] }, letter({ To: EMAIL, Subject: 'Lunch' }))
  // The first is the greeting of the new account
  const [, reply] = await site.outside.waitFor(2)
  assert.deepEqual(reply?.to, ['ann@outside.test'])
  const [head = '', body = ''] = String(reply?.raw).split('\r\n\r\n')
  assert.match(head, /Subject: Sailing until Monday/)
  assert.equal(body.trim(), 'I am at sea.')
}

/** What a label is called and its color are its look; messages keep their keyword. */
const editLabel = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const [{ id }] = (await read('messages')).data
  await mia.client.post('/api/mail/messages/flags', { message_ids: [id], add: ['tax'] })
  await section(page, 'Labels')
  await page.getByRole('table').getByRole('button', { name: 'Actions for tax' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await dialogOf(page).getByLabel('Name').fill('Steuer 税 2026')
  await dialogOf(page).getByRole('radio', { name: 'purple' }).check()
  await visit.shot('mail-webmail-label')
  await confirm(page, 'Save changes')
  await page.getByRole('row', { name: 'Steuer 税 2026' }).waitFor()
  assert.deepEqual((await read(`messages/${id}`)).keywords, ['tax'])
  const [label] = (await read('labels')).data
  assert.deepEqual([label.name, label.display_name, label.color], ['tax', 'Steuer 税 2026', 'purple'])
}

/** Contacts are written down, changed, and come back when deleting them is undone. */
const keepContacts = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await section(page, 'Contacts')
  await page.getByRole('button', { name: 'New contact' }).first().click()
  await dialogOf(page).getByLabel('Name').fill('Grace Hopper')
  await dialogOf(page).getByLabel('Email address').fill('grace@outside.test')
  await confirm(page, 'Add contact')
  await page.getByRole('row', { name: /Grace Hopper/ }).waitFor()
  const act = async (item: string) => {
    await page.getByRole('table').getByRole('button', { name: 'Actions for Grace Hopper' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await act('Edit')
  await dialogOf(page).getByLabel('Note').fill('Met in the harbor')
  await confirm(page, 'Save changes')
  await page.getByText('Met in the harbor').waitFor()
  await look(visit, 'mail-webmail-contacts')
  await act('Delete')
  await page.getByRole('row', { name: /Grace Hopper/ }).waitFor({ state: 'detached' })
  await page.locator('[data-toaster]').getByRole('button', { name: 'Undo' }).last().click()
  await page.getByRole('row', { name: /Grace Hopper/ }).waitFor()
  const [contact] = (await read('contacts?search=grace')).data
  assert.deepEqual([contact.email, contact.note], ['grace@outside.test', 'Met in the harbor'])
}

/** What was deleted from the trash can still be restored. */
const restoreDeleted = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const [{ id }] = (await read('messages?search=in:junk')).data
  await mia.client.post('/api/mail/messages/delete', { message_ids: [id], permanent: true })
  await section(page, 'Deleted messages')
  await page.getByRole('row', { name: /BUY/ }).waitFor()
  await fits(visit, 'mail-webmail-deleted')
  await page.getByRole('table').getByRole('button', { name: 'Actions for BUY' }).click()
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  await page.getByText('No deleted messages').waitFor()
  assert.equal((await read('messages?search=in:junk')).total, 1)
}

/** Mail of a blocked sender goes to Junk. */
const blockSender = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await section(page, 'Blocked senders')
  await page.getByRole('button', { name: 'Add sender' }).first().click()
  await dialogOf(page).getByLabel('Address, domain or network').fill('@Shouting.test')
  await confirm(page, 'Add sender')
  await page.getByRole('row', { name: /@shouting\.test/ }).waitFor()
  await visit.shot('mail-webmail-senders')
  await site.deliver(
    { from: 'ads@shouting.test', to: [EMAIL] },
    letter({ To: EMAIL, From: 'ads@shouting.test', Subject: 'BUY' }),
  )
  await until(async () => (await read('messages?search=in:junk')).total === 1, 'it is in Junk')
}

const signOutElsewhere = async (page: Page): Promise<void> => {
  await section(page, 'Security')
  await page.getByText('This browser', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await confirm(page, 'Sign out everywhere else')
  assert.equal((await mia.client.get('/api/mail/me')).status, 401)
  mia = await signedIn()
  assert.equal((await read('sessions')).total, 2)
}

const makeAndEndAppPassword = async (page: Page) => {
  await section(page, 'App passwords')
  await page.getByRole('button', { name: 'New app password' }).first().click()
  await dialogOf(page).getByLabel('Name').fill('Phone')
  await dialogOf(page).getByLabel('JMAP').check()
  await dialogOf(page).getByRole('button', { name: 'Create app password' }).click()
  await dialogOf(page).getByText("You won't see this again").waitFor()
  const secret = await takeSecret(page)
  const jmap = () => site.client().get('/.well-known/jmap', { headers: { authorization: `Bearer ${secret}` } })
  assert.equal((await jmap()).status, 200)
  await page.getByRole('row', { name: /Phone.*SMTP/ }).waitFor()
  assert.ok(!(await page.content()).includes(secret))
  await chooseFor(page, 'Phone', 'Revoke')
  await confirm(page, 'Revoke app password')
  assert.equal((await jmap()).status, 401)
}

/** A page that nobody looks at, in a browser that writes its notifications down. */
const hideAndCollect = () => {
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
  const shown: (EventTarget & { words: string })[] = []
  class Collected extends EventTarget {
    static permission = 'default'
    static async requestPermission() {
      Collected.permission = 'granted'
      return 'granted'
    }
    words: string
    constructor(title: string, { body = '' }: { body?: string }) {
      super()
      this.words = `${title}: ${body}`
      shown.push(this)
    }
    close() {
      this.words = ''
    }
  }
  Object.assign(window, { Notification: Collected, shown })
}

const send = () => site.deliver({ from: 'bob@outside.test', to: [EMAIL] }, letter({ To: EMAIL, Subject: 'News' }))

/** What happens in the mailbox reaches every tab without a reload. */
const followOtherTabs = async ({ page, context }: Visit): Promise<void> => {
  await section(page, 'Filters')
  await titled(page, /^\(1\) Filters/)
  const tab = await context.newPage()
  const streams: string[] = []
  tab.on('request', (request) => void streams.push(...(request.url().match(/mail\/events/) ?? [])))
  await tab.goto(page.url())
  await titled(tab, /^\(1\) Filters/)
  await send()
  await titled(page, /^\(2\) Filters/)
  await titled(tab, /^\(2\) Filters/)
  assert.deepEqual(streams, [], 'a second tab opened a stream of its own')
  await tab.close()
}

/** So it does after the line was broken, and what was typed stays. */
const loseLine = async (visit: Visit): Promise<void> => {
  const { page, context } = visit
  line.cut()
  await send()
  await titled(page, /^\(3\) Filters/)
  await section(page, 'Contacts')
  await page.getByRole('searchbox', { name: 'Search contacts' }).fill('typed')
  await context.setOffline(true)
  await page.getByText("You're offline.").waitFor()
  await visit.shot('mail-webmail-offline')
  await context.setOffline(false)
  await page.getByText("You're offline.").waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('searchbox', { name: 'Search contacts' }).inputValue(), 'typed')
  await send()
  await titled(page, /^\(4\) Contacts/)
  visit.expectProblem(/ERR_/)
  await page.getByRole('searchbox', { name: 'Search contacts' }).fill('')
}

/** They are switched on by a press, and lead to the message. */
const followNotification = async (page: Page): Promise<void> => {
  await page.evaluate(hideAndCollect)
  await section(page, 'General')
  const looked = page.waitForResponse(/messages\?.*unread=1/)
  await page.getByRole('switch', { name: 'Desktop notifications' }).check()
  await looked
  await site.deliver(
    { from: 'carla@outside.test', to: [EMAIL] },
    letter({ To: EMAIL, From: 'Carla <carla@outside.test>', Subject: 'The keys' }),
  )
  await page.waitForFunction(() => Reflect.get(window, 'shown')[0]?.words === 'Carla: The keys')
  await page.evaluate(() => Reflect.get(window, 'shown')[0].dispatchEvent(new Event('click')))
  await page.waitForURL(/webmail\/inbox\/[0-9a-f-]{36}/)
  await page.getByRole('heading', { name: 'The keys' }).waitFor()
}

/** Every section, with long words. */
const fitPhone = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const parts = {
    general: 'Reading',
    filters: 'Newsletters of everybody',
    senders: '@shouting.test',
    labels: 'Steuer',
    contacts: 'Met in the harbor',
    'app-passwords': 'A phone with a rather long name',
    connect: 'Username',
  }
  for (const [id, text] of Object.entries(parts)) {
    await page.getByLabel('Section').selectOption(id)
    await page.getByRole('main').getByText(text).first().waitFor()
    await fits(visit, `mail-webmail-settings-${id}-390`)
  }
}
