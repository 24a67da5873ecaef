import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import PostalMime from 'postal-mime'
import { browserTest } from '../lib/browser.ts'
import { PASSWORD } from '../lib/mail.ts'
import { letter, type MailSite, startMailSite } from './mail-page.ts'
import { dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let site: MailSite
before(async () => {
  site = await startMailSite()
})
after(() => site.close())

const EMAIL = 'ada@harbour.test'
const MAILBOX_PASSWORD = 'seven lanterns in the harbour'

describe('the first minutes of a new customer', () => {
  browserTest('lead from the first visit to a mail that is received and answered', {}, async (visit) => {
    const { page } = visit
    await page.goto(`${site.url}/`)
    await page.getByLabel('Email address').fill('olive@example.test')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()

    // The first steps lead
    await page
      .getByRole('link', { name: /Add a domain/ })
      .first()
      .click()
    await dialogOf(page)
      .getByLabel(/Domain/)
      .fill('harbour.test')
    await dialogOf(page).getByRole('button', { name: /Add/ }).click()
    await page.getByRole('heading', { name: 'harbour.test' }).waitFor()
    await page.getByText('Verified').first().waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('link', { name: /Create an address/ }).click()
    const form = dialogOf(page)
    await form.getByLabel('Address', { exact: true }).fill('ada')
    await form.getByLabel('Password', { exact: true }).fill(MAILBOX_PASSWORD)
    await form.getByRole('button', { name: 'Create address' }).click()
    await page.getByRole('dialog', { name: `${EMAIL} is ready` }).waitFor()

    await page.goto(`${site.url}/webmail/`)
    await page.getByLabel(/address/i).fill(EMAIL)
    await page.getByLabel('Password', { exact: true }).fill(MAILBOX_PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Compose' }).waitFor()

    // A mail comes in while the inbox is open
    const mail = letter(
      { To: EMAIL, Subject: 'The first lamp', 'Message-ID': '<first@outside.test>' },
      'It shines.\r\n',
    )
    await site.deliver({ from: 'ann@outside.test', to: [EMAIL] }, mail)
    await page.getByText('The first lamp').first().click()
    await page.frameLocator('iframe').first().getByText('It shines.').waitFor()
    await visit.shot('mail-first-read')

    await page.keyboard.press('r')
    const composer = page.locator('[data-compose-window]').last()
    await composer.getByRole('textbox', { name: 'Message' }).click()
    await page.keyboard.insertText('So it does. ')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByRole('button', { name: /Undo/ }).waitFor()
    // The time to take it back is over
    site.clock.advance(21_000)
    // After the letter that confirms the account's address
    const sent = (await site.outside.waitFor(2)).find(({ from }) => from === EMAIL)
    const answer = await PostalMime.parse(sent?.raw ?? '')
    assert.deepEqual([answer.from?.address, answer.subject], [EMAIL, 'Re: The first lamp'])
    assert.equal(answer.inReplyTo, '<first@outside.test>')
    assert.match(answer.text ?? '', /So it does/)

    await page.goto(`${site.url}/`)
    await page.getByRole('heading', { name: 'Mail in the last 30 days' }).waitFor()
    await page.getByText('The first lamp').first().waitFor()
    await look(visit, 'mail-overview')
    await onPhoneInTheDark(visit, () => fits(visit, 'mail-overview-dark-390'))

    await page.keyboard.press('ControlOrMeta+k')
    await dialogOf(page).getByRole('combobox').fill('harbour')
    await dialogOf(page).getByRole('option', { name: 'harbour.test', exact: true }).waitFor()
    await dialogOf(page).getByRole('option', { name: EMAIL }).click()
    await page.getByRole('heading', { name: EMAIL }).waitFor()
    visit.expectProblem(/401/)
  })
})
