import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe } from 'node:test'
import type { Email } from 'postal-mime'
import { browserTest } from '../lib/browser.ts'
import {
  ADA,
  body,
  composer,
  give,
  paste,
  press,
  startWritingSite,
  to,
  type WritingSite,
  windows,
} from './mail-compose-page.ts'
import { enterWebmail, letter } from './mail-page.ts'
import { look } from './page.ts'

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
  browserTest('files of any name and a picture in the text arrive as they were', {}, async (visit) => {
    const { page } = visit
    await enterWebmail(visit, site, site.ada)
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
    const { mail, to: recipients } = await site.arrived('Files')
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
    assert.deepEqual(await site.draftsOf('Files'), [])
    visit.expectProblem(/jmap\/upload|ERR_FAILED/)

    await page.getByRole('link', { name: /^Sent/ }).click()
    await page.locator('[data-row]').filter({ hasText: 'Files' }).click()
    await page.getByRole('button', { name: 'Forward', exact: true }).last().click()
    await to(page).fill('bob@outside.test')
    await composer(page).getByRole('img', { name: 'dot' }).waitFor()
    await press(page, 'Send')
    const { mail: passedOn } = await site.arrived('Fwd: Files')
    const sizes = (one: Email) => one.attachments.map(({ content }) => bytesOf(content).toString('base64')).toSorted()
    assert.deepEqual(sizes(passedOn), sizes(mail))
    assert.match(passedOn.html ?? '', /Forwarded message[\s\S]*From: [\s\S]*See <b>attached<\/b><img src="cid:/)
  })

  browserTest('an answer quotes, is signed, and belongs to its conversation', {}, async (visit) => {
    const { page } = visit
    await site.ada.client.post('/api/mail/identities', {
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
    await enterWebmail(visit, site, site.ada)
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
    await page.getByText('Message sent').waitFor()
    while (!(await site.listed('inbox')).some((one) => one.flags.answered))
      await page.waitForResponse(/messages\/flags/)
  })

  browserTest(
    'on a phone a message fills the screen, and plain text is sent as it is',
    { phone: true, theme: 'dark' },
    async (visit) => {
      const { page } = visit
      await site.settings({ compose_format: 'text', undo_seconds: 0 })
      await enterWebmail(visit, site, site.ada)
      await page.getByRole('button', { name: 'Compose' }).first().click()
      await to(page).pressSequentially('ann')
      await page.getByRole('option', { name: 'ann@outside.test' }).waitFor()
      await to(page).press('Enter')
      await composer(page).getByLabel('Subject').fill('Plain')
      await body(page).click()
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
      const { mail } = await site.arrived('Plain')
      assert.equal(mail.html, undefined)
      assert.equal(mail.text?.trim().replaceAll('\r', ''), '> quoted\nA *line*')
    },
  )
})
