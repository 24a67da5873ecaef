import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { browserTest, type Visit } from '../lib/browser.ts'
import { PASSWORD } from '../lib/mail.ts'
import { type Customer, enterPanel, letter, lookAtTab, type MailSite, startMailSite } from './mail-page.ts'
import { chooseFor, confirm, dialogOf, fits, hasCopied, look, takeSecret } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let site: MailSite
let olive: Customer
let domainId: string

before(async () => {
  site = await startMailSite({
    PUBLIC_IMAPS_PORT: '993',
    PUBLIC_POP3S_PORT: '995',
    PUBLIC_SUBMISSIONS_PORT: '465',
    PUBLIC_SUBMISSION_PORT: '587',
  })
  olive = await site.signUp('olive@example.test')
  await site.mailbox(olive.id, 'bob@harbour.test')
  const { body } = await olive.client.get('/api/domains')
  domainId = body.data[0].id
})
after(() => site.close())

const PHRASE = 'seven lanterns in the harbour'
const api = async (path: string) => (await olive.client.get(path)).body
const idOf = async (email: string): Promise<string> => {
  const { data } = await api(`/api/domains/${domainId}/addresses?per_page=100`)
  return data.find((address: { email: string }) => address.email === email).id
}
const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()
const see = (visit: Visit, name: string, part?: 'dialog') => look(visit, `mail-addresses-${name}`, part)
const seeTab = (visit: Visit, name: string) => lookAtTab(visit, `mail-addresses-${name}`)
const shot = (visit: Visit, name: string) => visit.shot(`mail-addresses-${name}`)
const jmapAs = (token: string) =>
  site.client().get('/.well-known/jmap', { headers: { authorization: `Bearer ${token}` } })

describe('addresses in the panel', () => {
  browserTest(
    'an address is made, gets real mail that the trace finds, is changed, shared and ended',
    {},
    async (visit) => {
      await makeAddress(visit)
      await traceMail(visit)
      await changeAndRoute(visit)
      await grantAccess(visit)
      await setUpPrograms(visit)
      await endAddress(visit)
      await exportMail(visit)
      await fitPhone(visit)
    },
  )
})

/** A name that is taken is refused at its input; aliases and the quota come along. */
const makeAddress = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await enterPanel(visit, site, olive, '/addresses?new=1')
  const form = dialogOf(page)
  await form.getByLabel('Address', { exact: true }).fill('bob')
  await form.getByRole('button', { name: 'Generate' }).click()
  await form.getByText('Strong').waitFor()
  await form.getByRole('button', { name: 'Create address' }).click()
  await form.getByText('This name is already used by another address or alias.').waitFor()
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
  await form.getByLabel('Address', { exact: true }).fill('Ada')
  await form.getByLabel(/^Name/).fill('Ada of the Harbour')
  await form.getByText('Quota, aliases and forwarding').click()
  await form.getByRole('button', { name: 'Add alias' }).click()
  await form.getByRole('textbox', { name: 'Alias 1' }).fill('shop-*')
  await form.getByRole('textbox', { name: /^Quota/ }).fill('2')
  await see(visit, 'new', 'dialog')
  await form.getByRole('button', { name: 'Create address' }).click()
  await page.getByRole('dialog', { name: 'ada@harbour.test is ready' }).waitFor()
  await shot(visit, 'ready')
  visit.expectProblem(/409/)
}

/** What came, what was refused and why, searched and filtered. */
const traceMail = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await dialogOf(page).getByRole('link', { name: 'Activity' }).click()
  await page.getByText('No activity yet').waitFor()
  const from = 'ann@outside.test'
  await site.deliver(
    { from, to: ['ada@harbour.test'] },
    letter({ Subject: 'Lamp oil', 'Message-ID': '<oil@outside.test>' }),
  )
  await site.deliver({ from, to: ['shop-lamps@harbour.test'] }, letter({ Subject: 'An order of two lamps' }))
  const script = 'require "reject"; if header :contains "subject" "casino" { reject "We play no games."; }'
  await olive.client.post('/api/filters', { name: 'No games', script, address_id: await idOf('ada@harbour.test') })
  await assert.rejects(site.deliver({ from, to: ['ada@harbour.test'] }, letter({ Subject: 'Grand casino' })), /games/)

  // The trace refreshes itself
  await page.getByRole('button', { name: /Grand casino Rejected.*rejected: We play no games/ }).waitFor()
  await page.getByText('From ann@outside.test to shop-lamps@harbour.test, delivered to Inbox').waitFor()
  await see(visit, 'activity')
  await page.getByRole('searchbox').fill('<oil@outside.test>')
  await page.getByText('1 shown').waitFor()
  await page.getByRole('button', { name: /Lamp oil/ }).click()
  await dialogOf(page).getByText('oil@outside.test', { exact: true }).waitFor()
  await shot(visit, 'activity-details')
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox').fill('')
  await page.getByLabel('Type').selectOption('Rejected')
  await page.getByText('1 shown').waitFor()
  await page.getByRole('button', { name: /Grand casino/ }).waitFor()
  await page.getByLabel('Direction').selectOption('Outgoing')
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await page.getByRole('button', { name: /An order of two lamps/ }).click()
  await dialogOf(page).getByText('shop-lamps@harbour.test (alias of ada@harbour.test)').waitFor()
  await page.keyboard.press('Escape')
}

/** App passwords work until they are revoked, and so does sharing. */
const grantAccess = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const id = await idOf('ada@harbour.test')
  await page.keyboard.press('Escape')
  await openTab(page, 'App passwords')
  await page.getByText('No app passwords yet').waitFor()
  await page.getByRole('button', { name: 'New app password' }).click()
  await dialogOf(page).getByLabel('Name').fill('Script of the lighthouse')
  await dialogOf(page).getByLabel('JMAP').check()
  await shot(visit, 'app-password-new')
  await dialogOf(page).getByRole('button', { name: 'Create app password' }).click()
  const token = await takeSecret(page)
  const session = await jmapAs(token)
  assert.equal(session.status, 200)
  assert.equal(session.body.username, 'ada@harbour.test')
  await page.getByRole('row', { name: /Script of the lighthouse/ }).waitFor()
  assert.equal(await page.getByText(token).count(), 0)
  await fits(visit, 'mail-addresses-app-passwords')
  await chooseFor(page, 'Script of the lighthouse', 'Revoke')
  await confirm(page, 'Revoke app password')
  await page.getByText('No app passwords yet').waitFor()
  assert.equal((await jmapAs(token)).status, 401)

  await openTab(page, 'Sharing')
  await page.getByRole('button', { name: 'Share mailbox' }).click()
  await dialogOf(page).getByLabel('Shared with').selectOption('bob@harbour.test')
  await dialogOf(page).getByLabel('Read and write').check()
  await shot(visit, 'share-new')
  await dialogOf(page).getByRole('button', { name: 'Share mailbox' }).click()
  await page.getByRole('cell', { name: 'bob@harbour.test', exact: true }).waitFor()
  assert.equal((await api(`/api/addresses/${id}/shares`)).data[0].access, 'write')
  await chooseFor(page, 'bob@harbour.test', 'Stop sharing')
  await confirm(page, 'Stop sharing')
  await page.getByText('Not shared').waitFor()
}

const setUpPrograms = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await openTab(page, 'Mail app setup')
  const config = await api('/api/client-config')
  await page.getByRole('region', { name: 'Incoming (IMAP)' }).waitFor()
  for (const [name, door] of [
    ['Incoming (IMAP)', config.imap],
    ['Incoming (POP3)', config.pop3],
    ['Outgoing (SMTP)', config.smtp],
    ['Outgoing (SMTP with STARTTLS)', config.submission],
  ] as const) {
    const shown = await page.getByRole('region', { name, exact: true }).getByRole('definition').allInnerTexts()
    const security = door.security === 'tls' ? 'SSL/TLS' : 'STARTTLS'
    assert.deepEqual(
      shown.map((text) => text.trim()),
      [door.host, String(door.port), security],
    )
  }
  await page.getByRole('region', { name: 'Incoming (IMAP)' }).getByRole('button', { name: 'Copy Server' }).click()
  await hasCopied(page, config.imap.host)
  const profile = await page.getByRole('link', { name: 'Download profile' }).getAttribute('href')
  assert.match((await olive.client.get(profile ?? '')).text, /ada@harbour\.test/)
  await page.getByRole('img', { name: /QR code/ }).waitFor()
  await seeTab(visit, 'setup')
}

/** Everything, with long words. */
const fitPhone = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const long = 'a-very-long-name-of-somebody-who-likes-long-names-in-addresses'
  const { body } = await olive.client.post(`/api/domains/${domainId}/addresses`, {
    local_part: long,
    password: PHRASE,
    name: 'Somebody Who Likes Long Names And Has Many Of Them',
    quota_bytes: 100_000,
    aliases: ['postbox-of-the-lighthouse-keeper-and-his-daughters'],
    forward_to: [],
  })
  const subject = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft '
  await site.deliver(
    { from: `${long}@outside.test`, to: [body.email] },
    letter({ Subject: `=?utf-8?q?${encodeURIComponent(subject).replaceAll('%', '=')}?=` }, 'x'),
  )
  await olive.client.send('PATCH', `/api/addresses/${body.id}`, { body: { quota_bytes: 1000 } })
  await assert.rejects(site.deliver({ from: 'ann@outside.test', to: [body.email] }, letter({})), /full/)
  await site.mailbox(olive.id, 'carol@second.test')
  await page.goto(`${site.url}/addresses`)
  await page.getByRole('link', { name: 'carol@second.test' }).waitFor()
  await onPhoneInTheDark(visit, async () => {
    await page.getByText('Full', { exact: true }).waitFor()
    await fits(visit, 'mail-addresses-list-390')
    await page.getByRole('link', { name: new RegExp(long) }).click()
    await page.getByText('Trash').first().waitFor()
    await fits(visit, 'mail-addresses-overview-390')
    for (const [tab, ready] of [
      ['Aliases and forwarding', 'Test routing'],
      ['Activity', 'Donaudampf'],
      ['Mail app setup', 'Manual setup'],
      ['App passwords', 'No app passwords yet'],
    ] as const) {
      await openTab(page, tab)
      await page.getByText(ready).first().waitFor()
      await fits(visit, `mail-addresses-${tab.split(' ')[0]?.toLowerCase()}-390`)
    }
  })
}

/** Settings, names, and the way of a mail. */
const changeAndRoute = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const id = await idOf('ada@harbour.test')
  await openTab(page, 'Overview')
  await page.getByRole('rowheader', { name: 'Inbox' }).waitFor()
  await seeTab(visit, 'overview')
  await page.getByLabel('Allow sending').click()
  await page.getByText("Can't send", { exact: true }).waitFor()
  await page.getByRole('textbox', { name: /^Quota/ }).fill('1.5')
  await page.getByLabel(/^Spam filter/).fill('9.5')
  await page.getByText('Very lenient · 9.5 points').waitFor()
  await page.getByLabel('Junk digest').selectOption('Every day')
  await openTab(page, 'Aliases and forwarding')
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('Control+s')
  await page.getByText('ada@harbour.test saved').waitFor()
  const saved = await api(`/api/addresses/${id}`)
  const { quota_bytes: quota, spam_threshold: threshold, digest, send_enabled: sends } = saved
  assert.deepEqual([quota, threshold, digest, sends], [1.5e9, 9.5, 'daily', false])

  await openTab(page, 'Aliases and forwarding')
  await page.getByRole('button', { name: 'Add alias' }).click()
  await page.getByRole('textbox', { name: 'Alias 2' }).fill('bob')
  await page.getByRole('button', { name: 'Save aliases' }).click()
  await page.getByText('One of these names is already used').waitFor()
  visit.expectProblem(/409/)
  await page.getByRole('textbox', { name: 'Alias 2' }).fill('hello')
  await page.getByRole('button', { name: 'Save aliases' }).click()
  await page.getByText('Aliases saved').waitFor()
  await page.getByRole('button', { name: 'Add forwarding address' }).click()
  await page.getByRole('textbox', { name: 'Forwarding address 1' }).fill('far@outside.test')
  await page.getByLabel('Keep a copy in this mailbox').click()
  await page.getByText('No copy is kept').waitFor()
  await page.getByLabel('Keep a copy in this mailbox').click()
  await page.getByRole('button', { name: 'Save forwarding' }).click()
  await page.getByText('Forwarding saved').waitFor()
  const message = letter({ Subject: 'To be passed on' })
  await site.deliver({ from: 'ann@outside.test', to: ['hello@harbour.test'] }, message)
  for (const [name, answer] of [
    ['nobody', "Rejected: nobody@harbour.test doesn't exist"],
    ['shop-new', 'Matches an alias: shop-*@harbour.test.'],
  ] as const) {
    await page.getByLabel('Mail to').fill(name)
    await page.getByText(answer).waitFor()
  }
  await seeTab(visit, 'names')
  await openTab(page, 'Activity')
  await page.getByRole('button', { name: /delivered to Inbox and forwarded to far@outside.test/ }).click()
  await dialogOf(page).getByText('accepted by the remote server').waitFor()
  await shot(visit, 'way')
}

/** Password, recovery, switched off, deleted by its name. */
const endAddress = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const id = await idOf('ada@harbour.test')
  const signIn = () => site.client().post('/api/mail/login', { email: 'ada@harbour.test', password: PHRASE })
  await openTab(page, 'Password and recovery')
  await page.getByLabel('New password').fill('password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText(/password is too common/).waitFor()
  visit.expectProblem(/400/)
  await page.getByLabel('New password').fill(PHRASE)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('Password changed for').waitFor()
  assert.equal((await signIn()).status, 200)
  await page.getByRole('textbox', { name: /^Recovery address/ }).fill('ada@outside.test')
  await page.getByRole('button', { name: 'Save recovery address' }).click()
  await page.getByText('Recovery address saved').waitFor()
  await seeTab(visit, 'password')

  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Addresses' }).click()
  await page.getByRole('link', { name: /ada@harbour\.test/ }).waitFor()
  await see(visit, 'list')
  await page.getByLabel('Select ada@harbour.test').check()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await confirm(page, 'Turn off')
  await page
    .getByRole('row', { name: /ada@harbour/ })
    .getByText('Off', { exact: true })
    .waitFor()
  assert.equal((await signIn()).status, 401)
  await page.getByRole('searchbox').fill('bob')
  await page.getByRole('link', { name: /ada@harbour\.test/ }).waitFor({ state: 'detached' })
  await page.waitForURL(/q=bob/)
  await page.getByRole('searchbox').fill('nobody at all')
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await chooseFor(page, 'ada@harbour.test', 'Delete')
  const question = dialogOf(page)
  await question.getByText(/messages .* deleted with it/).waitFor()
  await shot(visit, 'delete')
  await question.getByRole('textbox').fill('ada@harbour')
  assert.equal(await question.getByRole('button', { name: 'Delete address' }).getAttribute('aria-disabled'), 'true')
  await question.getByRole('textbox').fill('ada@harbour.test')
  await confirm(page, 'Delete address')
  await page.getByRole('link', { name: /ada@harbour\.test/ }).waitFor({ state: 'detached' })
  assert.equal((await olive.client.get(`/api/addresses/${id}`)).status, 404)
  await page.getByRole('link', { name: 'Recently deleted' }).click()
  await see(visit, 'deleted')
  await chooseFor(page, 'ada@harbour.test', 'Restore')
  await page.getByText('ada@harbour.test restored').waitFor()
  await page.getByText('Nothing to restore').waitFor()
  assert.equal((await olive.client.get(`/api/addresses/${id}`)).status, 200)
}

/** All mail as a file, once the password is given. */
const exportMail = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.getByRole('link', { name: 'Exports' }).click()
  await page.getByRole('button', { name: 'New export' }).first().click()
  const form = dialogOf(page)
  await form.getByRole('button', { name: 'Start export' }).click()
  await form.getByText('Enter your password.').waitFor()
  await form.getByLabel('Your password').fill(PASSWORD)
  await fits(visit, 'mail-addresses-export', 'dialog')
  await form.getByRole('button', { name: 'Start export' }).click()
  await page.getByText('Ready', { exact: true }).waitFor()
  await see(visit, 'exports')
  const href = await page.getByRole('link', { name: 'Download' }).getAttribute('href')
  assert.equal((await olive.client.get(href ?? '')).status, 200)
  await onPhoneInTheDark(visit, () => fits(visit, 'mail-exports-phone'))
}
