import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { MAILBOX_PASSWORD } from '@stoa/mail/addresses/testing/hosting.ts'
import { browserTest } from '../lib/browser.ts'
import {
  ADA,
  begin,
  body,
  composer,
  press,
  saveLine,
  startWritingSite,
  type WritingSite,
  windows,
} from './mail-compose-page.ts'
import { enterWebmail } from './mail-page.ts'
import { confirm, dialogOf, look } from './page.ts'

let site: WritingSite
before(async () => {
  site = await startWritingSite()
})
after(() => site.close())

describe('mail that is written is neither lost nor sent twice', () => {
  browserTest('sending is undone, put off, and never done twice', {}, async (visit) => {
    const { page } = visit
    await site.settings({ undo_seconds: 20 })
    await enterWebmail(visit, site, site.ada)
    await begin(page, { whom: 'ann@outside.test', subject: 'Back' })
    await page.keyboard.type('The plan is attached.')
    await body(page).press('ControlOrMeta+Enter')
    await dialogOf(page).getByText('forget the attachment').waitFor()
    await confirm(page, 'Send without attachment')
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
    await page.getByRole('menuitem', { name: 'Choose day and time' }).click()
    await look(visit, 'webmail-compose-later', 'dialog')
    await dialogOf(page).getByRole('button', { name: 'Schedule' }).click()
    await confirm(page, 'Send without attachment')
    await page.getByText('Will be sent').waitFor()
    const pending = (await site.ada.client.get('/api/mail/submissions?status=pending')).body.data
    assert.equal(pending.length, 1)
    assert.ok(new Date(pending[0].send_at).getTime() > Date.now() + 60_000)

    await site.settings({ undo_seconds: 0 })
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
    await site.arrived('Once')
    assert.deepEqual(await site.draftsOf('Once'), [])
    assert.equal(await site.hasLeft('Back'), false)
    visit.expectProblem(/api\/mail\/send|404|ERR_FAILED/)
  })

  browserTest(
    'what is typed survives reloads, broken lines, other tabs and the end of the session',
    {},
    async (visit) => {
      const { page, context } = visit
      await enterWebmail(visit, site, site.ada)
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
      const kept = await site.draftsOf('Kept')
      const texts = await Promise.all(
        kept.map(async ({ id }) => (await site.ada.client.get(`/api/mail/messages/${id}`)).body.text),
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
})
