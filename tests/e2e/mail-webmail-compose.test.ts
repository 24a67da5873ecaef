import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe } from 'node:test'
import { MAILBOX_PASSWORD } from '@stoa/mail/addresses/testing/hosting.ts'
import type { Locator, Page } from 'playwright-core'
import PostalMime, { type Email } from 'postal-mime'
import { browserTest } from '../lib/browser.ts'
import { enterWebmail, letter, type Mailbox, type MailSite, startMailSite } from './mail-page.ts'
import { confirm, dialogOf, look } from './page.ts'

const ADA = 'ada@writes.test'
let site: MailSite
let ada: Mailbox
before(async () => {
  site = await startMailSite()
  const owner = await site.signUp()
  ada = await site.mailbox(owner.id, ADA)
  // Mail leaves at once where a test does not say otherwise
  await settings({ undo_seconds: 0 })
})
after(() => site.close())

const settings = (body: object) => ada.client.send('PATCH', '/api/mail/settings', { body })
const windows = (page: Page): Locator => page.locator('[data-compose-window]')
const composer = (page: Page): Locator => windows(page).last()
const saveLine = (page: Page, words: string): Promise<void> =>
  composer(page).locator('[data-draft-line]').getByText(words).waitFor()
const body = (page: Page): Locator => composer(page).getByRole('textbox', { name: 'Message' })
const to = (page: Page): Locator => composer(page).getByRole('combobox', { name: 'To' })
const press = (page: Page, button: string): Promise<void> =>
  composer(page).getByRole('button', { name: button, exact: true }).click()

const begin = async (page: Page, { whom, subject }: { whom: string; subject: string }): Promise<void> => {
  await page.getByRole('button', { name: 'Compose' }).first().click()
  await to(page).fill(whom)
  await composer(page).getByLabel('Subject').fill(subject)
  await body(page).click()
}

const mailsOf = (): readonly { to: string[]; raw: Buffer }[] => site.outside.messages.filter(({ from }) => from === ADA)
/** The first mail of this subject that left; fails if there are more. */
const arrived = async (subject: string): Promise<{ mail: Email; to: string[] }> => {
  for (;;) {
    const mails = await Promise.all(
      mailsOf().map(async ({ raw, to: recipients }) => ({ mail: await PostalMime.parse(raw), to: recipients })),
    )
    const found = mails.filter(({ mail }) => mail.subject === subject)
    assert.ok(found.length < 2, `${subject} was sent ${found.length} times`)
    if (found[0]) return found[0]
    await site.outside.waitFor(site.outside.messages.length + 1, 30_000)
  }
}

const listed = async (role: string) => {
  const folders = (await ada.client.get('/api/mail/folders?per_page=100')).body.data
  const { id } = folders.find((folder: { role: string }) => folder.role === role)
  return (await ada.client.get(`/api/mail/messages?folder_id=${id}&per_page=100`)).body.data
}
const draftsOf = async (subject: string): Promise<{ id: string }[]> =>
  (await listed('drafts')).filter((draft: { subject: string }) => draft.subject === subject)

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
  'base64',
)
const bytesOf = (content: ArrayBuffer | Uint8Array | string): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content))

type GivenFile = { name: string; mimeType: string; buffer: Buffer }

/** Files from the desk or the clipboard. */
const give = (target: Locator, kind: 'drop' | 'paste', files: readonly GivenFile[]): Promise<void> =>
  target.evaluate(
    (element, { kind: how, given }) => {
      const data = new DataTransfer()
      for (const { name, type, text } of given)
        data.items.add(new File([Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))], name, { type }))
      const options = { bubbles: true, cancelable: true }
      element.dispatchEvent(
        how === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: data })
          : new ClipboardEvent('paste', { ...options, clipboardData: data }),
      )
    },
    {
      kind,
      given: files.map(({ name, mimeType, buffer }) => ({ name, type: mimeType, text: buffer.toString('base64') })),
    },
  )

const paste = (input: Locator, text: string): Promise<void> =>
  input.evaluate((element, given) => {
    const data = new DataTransfer()
    data.setData('text/plain', given)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, text)

describe('writing mail', () => {
  browserTest('files of any name and a picture in the text arrive as they were', {}, async (visit) => {
    const { page } = visit
    await enterWebmail(visit, site, ada)
    await page.getByRole('button', { name: 'Compose' }).click()
    await to(page).fill('Ann <ann@outside.test>, nobody')
    await to(page).press('Enter')
    await composer(page).getByText('has no @').waitFor()
    await to(page).press('Backspace')
    await page.keyboard.press('Backspace')
    await paste(to(page), '"Doe, Jo" <jo@outside.test>; eve@outside.test')
    await composer(page).getByText('Doe, Jo').waitFor()
    await composer(page).getByLabel('Subject').fill('Files')
    await body(page).click()
    await page.keyboard.type('See ')
    await page.keyboard.press('ControlOrMeta+b')
    await page.keyboard.type('attached')
    const files = [
      { name: 'résumé "final" 100%.pdf', mimeType: 'application/pdf', buffer: randomBytes(300_000) },
      { name: '中文 名前.bin', mimeType: '', buffer: randomBytes(7) },
      { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
    ]
    // The first one does not get through at once
    await page.route('**/jmap/upload/**', (route) => route.abort(), { times: 1 })
    await composer(page).getByLabel('Files to attach').setInputFiles(files.slice(0, 1))
    await composer(page)
      .getByRole('button', { name: /^Try résumé/ })
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
    await page.locator('[data-row]').filter({ hasText: 'Files' }).click()
    await composer(page).getByRole('img', { name: 'dot' }).waitFor()
    await body(page).press('ControlOrMeta+Enter')
    const { mail, to: recipients } = await arrived('Files')
    assert.deepEqual(recipients.toSorted(), ['ann@outside.test', 'eve@outside.test', 'jo@outside.test'])
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
    await page.getByText('Message sent').waitFor()
    assert.deepEqual(await draftsOf('Files'), [])
    visit.expectProblem(/jmap\/upload|ERR_FAILED/)

    await page.getByRole('link', { name: /^Sent/ }).click()
    await page.locator('[data-row]').filter({ hasText: 'Files' }).click()
    await page.getByRole('button', { name: 'Forward', exact: true }).last().click()
    await to(page).fill('bob@outside.test')
    await composer(page).getByRole('img', { name: 'dot' }).waitFor()
    await press(page, 'Send')
    const { mail: passedOn } = await arrived('Fwd: Files')
    const sizes = (one: Email) => one.attachments.map(({ content }) => bytesOf(content).toString('base64')).toSorted()
    assert.deepEqual(sizes(passedOn), sizes(mail))
    assert.match(passedOn.html ?? '', /Forwarded message[\s\S]*From: [\s\S]*See <b>attached<\/b><img src="cid:/)
  })

  browserTest('an answer quotes, is signed, and belongs to its conversation', {}, async (visit) => {
    const { page } = visit
    await ada.client.post('/api/mail/identities', {
      email: ADA,
      name: 'Ada at work',
      signature_html: '<p><b>The desk</b></p>',
    })
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
    await enterWebmail(visit, site, ada)
    await page.locator('[data-row]').filter({ hasText: 'Weather' }).click()
    await page.getByRole('button', { name: 'Reply to all', exact: true }).last().click()
    await body(page).getByText('wrote:').waitFor()
    await page.keyboard.type('Indeed.')
    await composer(page)
      .getByLabel('From')
      .selectOption({ label: `Ada at work <${ADA}>` })
    await body(page).getByText('The desk').waitFor()
    await composer(page).getByText('Bob').waitFor()
    await look(visit, 'webmail-compose-reply')
    await press(page, 'Send')
    const { mail, to: recipients } = await arrived('Re: Weather')
    assert.deepEqual(recipients.toSorted(), ['bob@outside.test', 'desk@outside.test'])
    assert.equal(mail.inReplyTo, '<second@outside.test>')
    assert.equal(mail.references, '<first@outside.test> <second@outside.test>')
    assert.match(
      mail.html ?? '',
      /Indeed\.[\s\S]*stoa-signature"><p><b>The desk[\s\S]*wrote:[\s\S]*<blockquote[^>]*><p>Fine <b>day<\/b><\/p><\/blockquote>/,
    )
    assert.doesNotMatch(mail.html ?? '', /spy|script|red/)
    assert.match(mail.text ?? '', /Indeed\.[\s\S]*-- \r?\nThe desk[\s\S]*> Fine day/)
    await page.getByText('Message sent').waitFor()
    while (!(await listed('inbox')).some((one: { flags: { answered: boolean } }) => one.flags.answered))
      await page.waitForResponse(/messages\/flags/)
  })

  browserTest('sending is undone, put off, and never done twice', {}, async (visit) => {
    const { page } = visit
    await settings({ undo_seconds: 20 })
    await enterWebmail(visit, site, ada)
    await page.getByRole('button', { name: 'Compose' }).first().click()
    await to(page).pressSequentially('ann')
    await page.getByRole('option', { name: 'ann@outside.test' }).waitFor()
    await to(page).press('Enter')
    await composer(page).getByLabel('Subject').fill('Back')
    await body(page).click()
    await page.keyboard.type('The plan is attached.')
    await body(page).press('ControlOrMeta+Enter')
    await dialogOf(page).getByText('forget the attachment').waitFor()
    await confirm(page, 'Send without attachment')
    await page.getByRole('button', { name: 'Undo' }).click()
    await body(page).getByText('The plan is attached.').waitFor()
    assert.equal((await draftsOf('Back')).length, 1)
    await press(page, 'Discard draft')
    await page.getByRole('button', { name: 'Undo' }).click()
    await body(page).getByText('The plan').waitFor()
    await saveLine(page, 'Saved')
    await composer(page)
      .getByRole('button', { name: /^Send later/ })
      .click()
    await page.getByRole('menuitem', { name: 'Choose day and time' }).click()
    await look(visit, 'webmail-compose-later', 'dialog')
    await dialogOf(page).getByRole('button', { name: 'Schedule' }).click()
    await confirm(page, 'Send without attachment')
    await page.getByText('Will be sent').waitFor()
    const pending = (await ada.client.get('/api/mail/submissions?status=pending')).body.data
    assert.equal(pending.length, 1)
    assert.ok(new Date(pending[0].send_at).getTime() > Date.now() + 60_000)

    await settings({ undo_seconds: 0 })
    await page.reload()
    await begin(page, { whom: 'ann@outside.test', subject: 'Once' })
    await page.keyboard.type('Only once.')
    // The service carries it out, and its answer is lost
    await page.route('**/api/mail/send', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await press(page, 'Send')
    await composer(page).getByText('its answer was lost').waitFor()
    await page.unroute('**/api/mail/send')
    await press(page, 'Send')
    await page.getByText('Message sent').waitFor()
    await arrived('Once')
    assert.deepEqual(await draftsOf('Once'), [])
    assert.ok(mailsOf().every(({ raw }) => !raw.includes('Subject: Back')))
    visit.expectProblem(/api\/mail\/send|404|ERR_FAILED/)
  })

  browserTest(
    'what is typed survives reloads, broken lines, other tabs and the end of the session',
    {},
    async (visit) => {
      const { page, context } = visit
      await enterWebmail(visit, site, ada)
      await begin(page, { whom: 'ann@outside.test', subject: 'Kept' })
      await page.keyboard.type('One')
      await page.reload()
      await page.getByText('was recovered').waitFor()
      await body(page).getByText('One').waitFor()
      await saveLine(page, 'Saved')
      await context.setOffline(true)
      await body(page).press('ControlOrMeta+End')
      await page.keyboard.type(' two')
      await saveLine(page, 'Not saved: offline, kept here')
      await press(page, 'Send')
      await composer(page).getByText('Nothing was sent').waitFor()
      await context.setOffline(false)
      await saveLine(page, 'Saved')
      visit.expectProblem(/ERR_INTERNET_DISCONNECTED/)

      const other = await context.newPage()
      await other.goto(`${site.url}/webmail/drafts`)
      await other.locator('[data-row]').filter({ hasText: 'Kept' }).click()
      await body(other).getByText('One two').click()
      await other.keyboard.type('From the other tab. ')
      await other.keyboard.press('Escape')
      await other.getByText('Saved in Drafts').waitFor()
      await body(page).press('ControlOrMeta+End')
      await page.keyboard.type(' three')
      await composer(page).getByText('changed or removed elsewhere').waitFor()
      await saveLine(page, 'Saved')
      await other.close()
      const kept = await draftsOf('Kept')
      const texts = await Promise.all(
        kept.map(async ({ id }) => (await ada.client.get(`/api/mail/messages/${id}`)).body.text),
      )
      assert.equal(texts.length, 2)
      assert.ok(texts.some((one) => one.includes('From the other tab')))
      assert.ok(texts.some((one) => one.includes('three')))

      await context.clearCookies()
      await page.keyboard.type('!')
      await page.getByLabel('Password', { exact: true }).waitFor()
      await page.getByLabel('E-mail address').fill(ADA)
      await page.getByLabel('Password', { exact: true }).fill(MAILBOX_PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await body(page).getByText('three!').waitFor()
      await saveLine(page, 'Saved')
      await page.keyboard.press('Escape')
      await windows(page).waitFor({ state: 'detached' })
      visit.expectProblem(/40[14]/)
    },
  )

  browserTest(
    'on a phone a message fills the screen, and plain text is sent as it is',
    { phone: true, theme: 'dark' },
    async (visit) => {
      const { page } = visit
      await settings({ compose_format: 'text', undo_seconds: 0 })
      await enterWebmail(visit, site, ada)
      await begin(page, { whom: 'ann@outside.test', subject: 'Plain' })
      await page.keyboard.type('> quoted\nA *line*')
      await press(page, 'More options')
      await page.getByRole('menuitemcheckbox', { name: 'Plain text' }).click()
      await page.keyboard.press('Escape')
      await body(page).getByText('quoted').waitFor()
      assert.equal(await body(page).locator('blockquote').count(), 1)
      await look(visit, 'webmail-compose-390-dark')
      await press(page, 'More options')
      await page.getByRole('menuitemcheckbox', { name: 'Plain text' }).click()
      await page.keyboard.press('Escape')
      await press(page, 'Send')
      const { mail } = await arrived('Plain')
      assert.equal(mail.html, undefined)
      assert.equal(mail.text?.trim().replaceAll('\r', ''), '> quoted\nA *line*')
    },
  )
})
