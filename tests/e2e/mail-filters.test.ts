import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Page } from 'playwright-core'
import { browserTest, type Visit } from '../lib/browser.ts'
import { type Customer, enterPanel, letter, type Mailbox, type MailSite, startMailSite } from './mail-page.ts'
import { chooseFor, confirm, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let site: MailSite
let customer: Customer
let ann: Mailbox
before(async () => {
  site = await startMailSite()
  customer = await site.signUp('olive@example.test')
  ann = await site.mailbox(customer.id, 'ann@filters.test')
})
after(() => site.close())

/** The subjects in a folder of Ann's, or null when there is no such folder. */
const subjectsIn = async (folder: string): Promise<string[] | null> => {
  const folders = await ann.client.get('/api/mail/folders?per_page=100')
  const found = folders.body.data.find(({ path }: { path: string }) => path.toUpperCase() === folder.toUpperCase())
  if (!found) return null
  const messages = await ann.client.get(`/api/mail/messages?folder_id=${found.id}`)
  return messages.body.data.map(({ subject }: { subject: string }) => subject)
}

const deliver = (subject: string) =>
  site.deliver(
    { from: 'ann@outside.test', to: ['ann@filters.test'] },
    letter({ To: 'ann@filters.test', Subject: subject }),
  )

const filters = async () => (await customer.client.get('/api/filters?per_page=100')).body.data

/** What stands in the editor, in one piece. */
const scriptOf = async (page: Page): Promise<string> =>
  (await page.getByRole('textbox', { name: 'Sieve script' }).locator('.cm-line').allInnerTexts()).join('\n')

const writeScript = async (page: Page, text: string) => {
  await page.getByRole('textbox', { name: 'Sieve script' }).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

describe('filters in the panel', () => {
  browserTest(
    'a rule is built and files real mail, a script is edited as text, filters move and go, on a phone in the dark as well',
    {},
    async (visit) => {
      await buildRule(visit)
      await editScript(visit)
      await arrange(visit)
      await onPhoneInTheDark(visit, () => deleteOne(visit))
    },
  )
})

/** A rule, built in the browser, files real mail. */
const buildRule = async (visit: Visit) => {
  const { page } = visit
  await enterPanel(visit, site, customer, '/filters')
  await page.getByText('No filters yet').waitFor()
  await visit.shot('mail-filters-empty')
  await page.getByRole('link', { name: 'New filter' }).first().click()
  await page.getByRole('button', { name: /Move newsletters to a folder/ }).waitFor()
  await visit.shot('mail-filters-templates')
  await page.getByRole('button', { name: /Start from scratch/ }).click()

  await page.getByRole('button', { name: 'Create filter' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Invoices')
  await page.getByRole('button', { name: 'Create filter' }).click()
  await page.getByText('Enter some text.').waitFor()
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
  assert.equal((await filters()).length, 0)

  await page.getByLabel('Applies to').selectOption({ label: 'ann@filters.test' })
  await page.getByLabel('Condition 1: field').selectOption('subject')
  await page.getByLabel('Condition 1: comparison').selectOption({ label: 'begins with' })
  await page.getByLabel('Condition 1: text').fill('Invoice "2026*"')
  await page.getByRole('button', { name: 'Condition 1: add another text' }).click()
  await page.getByLabel('Condition 1: text 2').fill('Rechnung')
  await page.getByLabel('Action 1: folder').fill('Invoices/New')
  await page.getByRole('button', { name: 'Add action' }).click()
  await page.getByLabel('Action 2: type').selectOption({ label: 'Flag' })
  await page.getByText('If the subject begins with “Invoice "2026*"” or “Rechnung”').waitFor()
  await look(visit, 'mail-filter-rules')

  await page.getByRole('tab', { name: 'Sieve' }).click()
  await page.getByText(/Valid/).waitFor()
  const script = await scriptOf(page)
  assert.match(script, /header :matches "subject" \["Invoice \\"2026\\\\\*\\"\*", "Rechnung\*"\]/)
  await page.getByRole('tab', { name: 'Rules' }).click()
  assert.equal(await page.getByLabel('Condition 1: text 2').inputValue(), 'Rechnung')
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByRole('heading', { name: 'Filters', exact: true }).waitFor()
  await page.getByRole('link', { name: /Invoices If the subject begins/ }).waitFor()

  await deliver('Invoice "2026*" of May')
  await deliver('Invoice 2026 of May')
  await until(async () => (await subjectsIn('Invoices/New'))?.length === 1)
  assert.deepEqual(await subjectsIn('Invoices/New'), ['Invoice "2026*" of May'])
  await until(async () => (await subjectsIn('INBOX'))?.length === 1)
}

/** A script is edited as text with its mistakes in place, and read back as rules. */
const editScript = async (visit: Visit) => {
  const { page } = visit
  const [made] = await filters()
  await page.getByRole('link', { name: /^Invoices/ }).click()
  await page.getByRole('tab', { name: 'Sieve' }).click()
  await writeScript(page, 'require "fileinto";\nif true {\n  fileinot "Lists";\n}\n')
  await page.getByRole('button', { name: /Line 3, column 3.*fileinot/ }).waitFor()
  await page.locator('.cm-lintRange-error').waitFor()
  await look(visit, 'mail-filter-sieve-error')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText(/Couldn't save: line 3/).waitFor()
  visit.expectProblem(/400/)
  assert.equal((await filters())[0].script, made.script)

  await writeScript(page, 'require "fileinto";\n# Lists\nif exists "List-Id" {\n  fileinto "Lists";\n}\n')
  await page.getByText(/Valid · 6 lines/).waitFor()
  await page.getByRole('tab', { name: 'Rules' }).click()
  await page.getByText('If the header “List-Id” is present: move it to “Lists”.').waitFor()
  await page.getByLabel('Action 1: folder').fill('News')
  await page.getByRole('button', { name: 'Save changes' }).click()
  const edited = /# Lists\nif exists "List-Id" \{\n {2}fileinto "News";\n\}/
  // The notice of the first save may still stand
  await until(async () => edited.test((await filters())[0].script), 'the edited script is saved')
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))

  // Somebody else changes it meanwhile: neither version is lost in silence
  await page.getByLabel('Action 1: folder').fill('Mine')
  const elsewhere = await customer.client.send('PATCH', `/api/filters/${made.id}`, {
    body: { script: 'require "fileinto";\nif exists "List-Id" {\n  fileinto "Theirs";\n}\n' },
  })
  assert.equal(elsewhere.status, 200, elsewhere.text)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('This filter was changed somewhere else', { exact: true }).waitFor()
  assert.match((await filters())[0].script, /Theirs/)
  await page.getByRole('button', { name: 'Load latest version' }).click()
  await page.getByText('This filter was changed somewhere else', { exact: true }).waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Action 1: folder').inputValue(), 'Theirs')
}

/** The list shows the order, moves with the keyboard, switches off and deletes. */
const arrange = async (visit: Visit) => {
  const { page } = visit
  for (const name of [
    'First',
    'Second',
    'Third with a very long name that nobody would ever give to a filter of theirs',
  ])
    await customer.client.post('/api/filters', {
      name,
      script: `if header :contains "subject" "${name.repeat(3)}" { discard; stop; }`,
    })
  await page.getByRole('link', { name: 'Filters' }).first().click()
  const rows = page.getByRole('list', { name: 'Filters for all addresses' }).getByRole('listitem')
  await rows.nth(2).waitFor()
  await page.getByRole('heading', { name: 'ann@filters.test' }).waitFor()
  await look(visit, 'mail-filters')
  await page.getByRole('button', { name: 'Move Second' }).press('Alt+ArrowUp')
  await page.getByText('Second moved to position 1 of 3.').waitFor()
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Move Second')
  const names = async () => (await filters()).map(({ name }: { name: string }) => name.slice(0, 8))
  await until(async () => (await names()).join() === 'Invoices,Second,First,Third wi')
  await page.getByRole('button', { name: 'Move Third' }).dragTo(rows.first(), { steps: 8 })
  await page.getByText(/^Third .* moved to position 1 of 3\.$/).waitFor()
  await until(async () => (await names()).join() === 'Invoices,Third wi,Second,First')
  await page.getByRole('switch', { name: 'Enable Second' }).click()
  await until(async () => (await filters()).some((filter: { enabled: boolean }) => !filter.enabled))
  await chooseFor(page, 'Second', 'Delete')
  await page.getByText(/Mail it has already moved stays/).waitFor()
  await confirm(page, 'Delete filter')
  await page.getByRole('switch', { name: 'Enable Second' }).waitFor({ state: 'detached' })
  await page.getByRole('searchbox', { name: 'Search filters' }).fill('nothing like it')
  await page.getByText('No results').waitFor()
  await page.waitForURL(/q=nothing/)
  await page.getByRole('button', { name: 'Clear search' }).first().click()
}

/** A filter with changes that nobody wants is deleted; going back to it says that it is gone. */
const deleteOne = async (visit: Visit) => {
  const { page } = visit
  await page.getByRole('switch', { name: 'Enable First' }).waitFor()
  await fits(visit, 'mail-filters-390-dark')
  await page.getByRole('link', { name: /^Invoices/ }).click()
  await page.getByRole('button', { name: 'Add condition' }).click()
  await page.getByLabel('Condition 2: field').selectOption('size')
  await fits(visit, 'mail-filter-rules-390-dark')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete filter' }).click()
  await confirm(page, 'Delete filter')
  await page.getByRole('heading', { name: 'Filters', exact: true }).waitFor()
  assert.equal((await filters()).length, 2)
  await page.goBack()
  await page.getByText("This filter doesn't exist").waitFor()
  visit.expectProblem(/404/)
}
