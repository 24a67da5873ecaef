import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe } from 'node:test'
import { WEBMAIL_COOKIE } from '@stoa/mail/hosting/access/access.ts'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Page } from 'playwright-core'
import type { Email } from 'postal-mime'
import { browserTest, type Visit } from '../lib/browser.ts'
import {
  ADA,
  begin,
  body,
  composer,
  give,
  openMail,
  press,
  saveLine,
  startWritingSite,
  to,
  type WritingSite,
  windows,
} from './mail-compose-page.ts'
import { apiCalls, enterWebmail, letter } from './mail-page.ts'
import { confirm, dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let site: WritingSite
before(async () => {
  site = await startWritingSite()
})
after(() => site.close())

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
  'base64',
)
const bytesOf = (content: ArrayBuffer | Uint8Array | string): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content))

describe('writing mail', () => {
  // A window that is still open would be there at the next visit
  browserTest('what is written is not lost, is sent once and arrives as it was', { alone: true }, async (visit) => {
    await site.settings({ undo_seconds: 60 })
    await site.ada.client.post('/api/mail/identities', {
      email: ADA,
      name: 'Ada at work',
      signature_html: '<p><b>The desk</b></p>',
    })
    const soonGone = await site.ada.client.post('/api/mail/identities', { email: ADA, name: 'Soon gone' })
    await enterWebmail(visit, site, site.ada)
    await takeBack(visit)
    await reopenWhileSaving(visit)
    await endSession(visit, await keepTyped(visit))
    await loseSender(visit, soonGone.body.id)
    await sendFrugally(visit)
    await sendOnce(visit)
    await sendFiles(visit)
    await passFilesOn(visit)
    await answer(visit)
    await onPhoneInTheDark(visit, () => sendPlainText(visit))
    await signOutWriting(visit)
  })
})

/** To the API for a message: whom it is from, who is meant, the draft, and the sending. */
const MAX_CALLS = 4

/** Lists and counts follow from the stream: nothing is requested again. */
const sendFrugally = async ({ page }: Visit): Promise<void> => {
  await page.locator('[data-message-list]').or(page.getByText("You're all caught up")).first().waitFor()
  const asked = apiCalls(page)
  await begin(page, { whom: 'zoe@outside.test', subject: 'Few words' })
  await page.keyboard.insertText('Yes.')
  await press(page, 'Send')
  await page.getByText('Message sent').waitFor()
  await site.arrived('Few words')
  // Mail that comes after it is shown: what was to be read for the sent one has been read by then
  await site.deliver({ from: 'ann@outside.test', to: [ADA] }, letter({ To: ADA, Subject: 'Afterwards' }))
  await page.locator('[data-row]').filter({ hasText: 'Afterwards' }).waitFor()
  assert.ok(asked.length <= MAX_CALLS, asked.join('\n'))
}

/** Signing out saves what is being written, and leaves none of it behind in the browser. */
const signOutWriting = async ({ page, expectProblem }: Visit): Promise<void> => {
  await begin(page, { whom: 'ann@outside.test', subject: 'Leaving' })
  await page.keyboard.insertText('Typed a moment ago')
  await page.getByRole('button', { name: 'Your mailbox' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  // It was the session of the test as well
  await site.ada.client.post('/api/mail/login', { email: ADA, password: MAILBOX_PASSWORD })
  const [draft] = await site.draftsOf('Leaving')
  const kept = await site.ada.client.get(`/api/mail/messages/${draft?.id}`)
  assert.match(kept.text, /Typed a moment ago/)
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify(localStorage)), /Typed a moment ago/)
  expectProblem(/401/)
}

/** Sending is undone and put off, and so is discarding. */
const takeBack = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await begin(page, { whom: 'ann@outside.test', subject: 'Back' })
  await page.keyboard.insertText('The plan is attached.')
  await body(page).press('ControlOrMeta+Enter')
  await dialogOf(page).getByText('Forgot an attachment').waitFor()
  await confirm(page, 'Send without attachment')
  await page.getByText(/^Sending in \d+ s…$/).waitFor()
  await page.locator('[data-toaster] svg circle').nth(1).waitFor()
  await visit.shot('webmail-sending')
  await page.getByRole('button', { name: 'Undo' }).click()
  await body(page).getByText('The plan is attached.').waitFor()
  assert.equal((await site.draftsOf('Back')).length, 1)
  await press(page, 'Discard draft')
  await page.getByRole('button', { name: 'Undo' }).click()
  await body(page).getByText('The plan').waitFor()
  await saveLine(page, 'Saved')
  await composer(page)
    .getByRole('button', { name: /^Send later/ })
    .click()
  await page.getByRole('menuitem', { name: 'Pick date and time' }).click()
  await visit.shot('webmail-compose-later')
  await dialogOf(page).getByRole('button', { name: 'Schedule' }).click()
  await confirm(page, 'Send without attachment')
  await page.getByText('Scheduled for').waitFor()
  const pending = (await site.ada.client.get('/api/mail/submissions?status=pending')).body.data
  assert.equal(pending.length, 1)
  assert.ok(new Date(pending[0].send_at).getTime() > Date.now() + 60_000)
}

/** A draft that is opened again before its last words are saved has them, and stays one draft. */
const reopenWhileSaving = async ({ page }: Visit): Promise<void> => {
  await begin(page, { whom: 'ann@outside.test', subject: 'Again' })
  await page.keyboard.type('One')
  await saveLine(page, 'Saved')
  const saving = Promise.withResolvers<void>()
  await page.route('**/api/mail/drafts', async (route) => {
    await saving.promise
    await route.continue()
  })
  await page.keyboard.type(' two')
  await page.keyboard.press('Escape')
  await windows(page).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /^Drafts/ }).click()
  await page.locator('[data-row]').filter({ hasText: 'Again' }).click()
  await body(page).getByText('One two').waitFor()
  saving.resolve()
  await saveLine(page, 'Saved')
  await page.unroute('**/api/mail/drafts')
  assert.equal((await site.draftsOf('Again')).length, 1)
  await page.keyboard.press('Escape')
  await windows(page).waitFor({ state: 'detached' })
}

/** What is typed survives reloads, broken lines and other tabs. */
const keepTyped = async (visit: Visit): Promise<Page> => {
  const { page, context } = visit
  await site.settings({ undo_seconds: 0 })
  await begin(page, { whom: 'ann@outside.test', subject: 'Kept' })
  await page.keyboard.type('One')
  await page.reload()
  await page.getByText('Unsaved draft recovered').waitFor()
  await body(page).getByText('One').waitFor()
  await saveLine(page, 'Saved')
  await context.setOffline(true)
  await body(page).press('ControlOrMeta+End')
  await page.keyboard.type(' two')
  await saveLine(page, 'Offline. Saved in this browser')
  await press(page, 'Send')
  await composer(page).getByText("Couldn't send").waitFor()
  // Whether the page tried by itself depends on how quick it was
  await page.evaluate(() => fetch('/api/mail/me').catch(() => undefined))
  await context.setOffline(false)
  await saveLine(page, 'Saved')
  visit.expectProblem(/ERR_INTERNET_DISCONNECTED/)

  const other = await context.newPage()
  await other.goto(`${site.url}/webmail/drafts`)
  await other.locator('[data-row]').filter({ hasText: 'Kept' }).click()
  await body(other).getByText('One two').click()
  await other.keyboard.insertText('From the other tab. ')
  await other.keyboard.press('Escape')
  await other.getByText('Draft saved').waitFor()
  await body(page).press('ControlOrMeta+End')
  await page.keyboard.type(' three')
  await composer(page).getByText('changed or deleted somewhere else').waitFor()
  await saveLine(page, 'Saved')
  const texts = await site.textsOf('Kept')
  assert.equal(texts.length, 2)
  assert.ok(texts.some((one) => one.includes('From the other tab')))
  assert.ok(texts.some((one) => one.includes('three')))
  return other
}

/** What is typed survives the end of the session, and another mailbox in another tab. */
const endSession = async (visit: Visit, other: Page): Promise<void> => {
  const { page, context } = visit
  await context.clearCookies()
  await page.keyboard.type('!')
  await page.getByLabel('Password', { exact: true }).waitFor()
  await page.getByLabel('Email address').fill(ADA)
  await page.getByLabel('Password', { exact: true }).fill(MAILBOX_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await body(page).getByText('three!').waitFor()
  await saveLine(page, 'Saved')

  // Another tab signs in to another mailbox: this one becomes it too, and keeps the text for its own
  await body(page).press('ControlOrMeta+End')
  await page.keyboard.type('?')
  await context.addCookies([{ name: WEBMAIL_COOKIE, value: site.bob.client.webmailCookie ?? '', url: site.url }])
  await other.goto(`${site.url}/webmail/drafts`)
  await page.locator('[data-initials=B]').waitFor()
  assert.equal(await windows(page).count(), 0)
  await other.close()
  assert.deepEqual((await site.bob.client.get('/api/mail/messages?per_page=10')).body.total, 0)
  await enterWebmail(visit, site, site.ada)
  await body(page).getByText('three!?').waitFor()
  await body(page).press('Escape')
  await windows(page).waitFor({ state: 'detached' })
  // A page that is new looks for some seconds whether the last save of the page before it was carried out
  await until(
    async () => (await site.textsOf('Kept')).some((text) => text.includes('three!?')),
    'the last key is saved',
  )
  visit.expectProblem(/40[14]/)
}

/** An identity that is deleted elsewhere takes nothing along, and nothing is sent in another name unseen. */
const loseSender = async (visit: Visit, identityId: string): Promise<void> => {
  const { page } = visit
  await begin(page, { whom: 'ann@outside.test', subject: 'Whose' })
  await composer(page)
    .getByLabel('From')
    .selectOption({ label: `Soon gone <${ADA}>` })
  await saveLine(page, 'Saved')
  assert.equal((await site.ada.client.send('DELETE', `/api/mail/identities/${identityId}`)).status, 200)
  await body(page).click()
  await page.keyboard.insertText('From me.')
  await press(page, 'Send')
  await composer(page).getByText(`Sending from ${ADA} instead`).waitFor()
  await saveLine(page, 'Saved')
  assert.equal((await site.draftsOf('Whose')).length, 1)
  assert.equal(await site.hasLeft('Whose'), false)
  await press(page, 'Send')
  assert.match(String((await site.arrived('Whose')).mail.text), /From me/)
  visit.expectProblem(/404/)
}

/** What the service carried out but could not confirm is not done again. */
const sendOnce = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await begin(page, { whom: 'ann@outside.test', subject: 'Once' })
  await page.keyboard.insertText('Only once.')
  // The service carries it out, and its answer is lost
  await page.route('**/api/mail/send', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await press(page, 'Send')
  await composer(page).getByText('connection was lost while sending').waitFor()
  await page.unroute('**/api/mail/send')
  await press(page, 'Send')
  await windows(page).waitFor({ state: 'detached' })
  await site.arrived('Once')
  assert.deepEqual(await site.draftsOf('Once'), [])
  assert.equal(await site.hasLeft('Back'), false)
  visit.expectProblem(/api\/mail\/send|404|ERR_FAILED/)
}

const files = [
  { name: 'résumé "final" 100%.pdf', mimeType: 'application/pdf', buffer: randomBytes(300_000) },
  { name: '中文 名前.bin', mimeType: '', buffer: randomBytes(7) },
  { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
]

/** Files of any name and a picture in the text arrive as they were. */
const sendFiles = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await begin(page, { whom: '"Doe, Jo" <jo@outside.test>; eve@outside.test', subject: 'Files' })
  await page.keyboard.type('See ')
  await page.keyboard.press('ControlOrMeta+b')
  await page.keyboard.type('attached')
  // The first one does not get through at once
  await page.route('**/jmap/upload/**', (route) => route.abort(), { times: 1 })
  await composer(page).getByLabel('Files to attach').setInputFiles(files.slice(0, 1))
  await composer(page)
    .getByRole('button', { name: /^Retry résumé/ })
    .click()
  await give(composer(page).getByRole('heading'), 'drop', files.slice(1))
  await give(body(page), 'paste', [{ name: 'dot.png', mimeType: 'image/png', buffer: PNG }])
  await composer(page).getByRole('img', { name: 'dot' }).waitFor()
  await composer(page).getByText('300 kB', { exact: true }).waitFor()
  await look(visit, 'webmail-compose')
  // Closed and opened again from the folder of drafts, it still has everything
  await page.keyboard.press('Escape')
  await windows(page).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /^Drafts/ }).click()
  await page.locator('[data-row]').filter({ hasText: 'Files' }).filter({ hasText: '[dot]' }).click()
  await composer(page).getByRole('img', { name: 'dot' }).waitFor()
  await body(page).press('ControlOrMeta+Enter')
  const { mail, to: recipients } = await site.arrived('Files')
  assert.deepEqual(recipients.toSorted(), ['eve@outside.test', 'jo@outside.test'])
  assert.match(mail.html ?? '', /See <b>attached<\/b>/)
  assert.match(mail.text ?? '', /See attached/)
  for (const { name, buffer } of files) {
    const found = mail.attachments.find(({ filename }) => filename === name)
    assert.ok(found, `${name} is not among ${mail.attachments.map(({ filename }) => filename)}`)
    assert.ok(buffer.equals(bytesOf(found.content)), name)
  }
  const shown = mail.attachments.find(({ mimeType }) => mimeType === 'image/png')
  assert.ok(shown && PNG.equals(bytesOf(shown.content)))
  assert.ok(mail.html?.includes(`cid:${shown.contentId?.replace(/[<>]/g, '')}`))
  await windows(page).waitFor({ state: 'detached' })
  assert.deepEqual(await site.draftsOf('Files'), [])
  visit.expectProblem(/jmap\/upload|ERR_FAILED/)
}

/** Forwarding a mail forwards its files. */
const passFilesOn = async ({ page }: Visit): Promise<void> => {
  const { mail } = await site.arrived('Files')
  await page.getByRole('link', { name: /^Sent/ }).click()
  const pane = await openMail(page, 'Files', 'Sent')
  await pane.getByRole('button', { name: 'Forward', exact: true }).last().click()
  await to(page).fill('bob@outside.test')
  await composer(page).getByRole('img', { name: 'dot' }).waitFor()
  await press(page, 'Send')
  const { mail: passedOn } = await site.arrived('Fwd: Files')
  const sizes = (one: Email) => one.attachments.map(({ content }) => bytesOf(content).toString('base64')).toSorted()
  assert.deepEqual(sizes(passedOn), sizes(mail))
  assert.match(passedOn.html ?? '', /Forwarded message[\s\S]*From: [\s\S]*See <b>attached<\/b><img src="cid:/)
}

/** An answer quotes, is signed, and belongs to its conversation. */
const answer = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const html = '<p style="color:red">Fine <b>day</b></p><img src="https://spy.test/p.png"><script>alert(1)</script>'
  const head = {
    To: `${ADA}, Bob <bob@outside.test>`,
    Subject: 'Re: Weather',
    'Reply-To': 'Desk <desk@outside.test>',
    'Message-ID': '<second@outside.test>',
    References: '<first@outside.test>',
    'Content-Type': 'text/html; charset=utf-8',
  }
  await site.deliver({ from: 'ann@outside.test', to: [ADA] }, letter(head, html))
  await page.getByRole('link', { name: /^Inbox/ }).click()
  const pane = await openMail(page, 'Re: Weather')
  await pane.getByRole('button', { name: 'Reply to all', exact: true }).last().click()
  // Before the window is there: `e` and `n` would be shortcuts
  await page.keyboard.type('Indeed.')
  await body(page).getByText('Indeed.').waitFor()
  await body(page).getByText('wrote:').waitFor()
  await composer(page)
    .getByLabel('From')
    .selectOption({ label: `Ada at work <${ADA}>` })
  await body(page).getByText('The desk').waitFor()
  await composer(page).getByText('Bob').waitFor()
  await visit.shot('webmail-compose-reply')
  await press(page, 'Send')
  const { mail, to: recipients } = await site.arrived('Re: Weather')
  assert.deepEqual(recipients.toSorted(), ['bob@outside.test', 'desk@outside.test'])
  assert.equal(mail.inReplyTo, '<second@outside.test>')
  assert.equal(mail.references, '<first@outside.test> <second@outside.test>')
  assert.match(
    mail.html ?? '',
    /Indeed\.[\s\S]*stoa-signature"><p><b>The desk[\s\S]*wrote:[\s\S]*<blockquote[^>]*><p>Fine <b>day<\/b><\/p><\/blockquote>/,
  )
  assert.doesNotMatch(mail.html ?? '', /spy|script|red/)
  assert.match(mail.text ?? '', /Indeed\.[\s\S]*-- \r?\nThe desk[\s\S]*> Fine day/)
  await windows(page).waitFor({ state: 'detached' })
  await until(async () => (await site.listed('inbox')).some((one) => one.flags.answered), 'the mail is answered')
}

/** On a phone a message fills the screen, and plain text is sent as it is. */
const sendPlainText = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.getByRole('button', { name: 'Inbox', exact: true }).click()
  await page.getByRole('button', { name: 'Compose' }).first().click()
  // Back is about the window, not about the screen below
  const below = page.url()
  await windows(page).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.waitForURL(below)
  await to(page).fill('ann')
  await page.getByRole('option', { name: 'ann@outside.test' }).waitFor()
  await to(page).press('Enter')
  await composer(page).getByLabel('Subject').fill('Plain')
  await fits(visit, 'webmail-compose-390-dark')
  await press(page, 'More options')
  await page.getByRole('menuitemcheckbox', { name: 'Plain text' }).click()
  await page.keyboard.press('Escape')
  await body(page).click()
  await page.keyboard.type('> quoted\nA *line*')
  await press(page, 'Send')
  const { mail } = await site.arrived('Plain')
  assert.equal(mail.html, undefined)
  assert.equal(mail.text?.trim().replaceAll('\r', ''), '> quoted\nA *line*')
}
