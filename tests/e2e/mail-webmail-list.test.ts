import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Locator, Page } from 'playwright-core'
import { browserTest, type Visit } from '../lib/browser.ts'
import { apiCalls, enterWebmail, letter, type Mailbox, type MailSite, startMailSite } from './mail-page.ts'
import { confirm, dialogOf, fits, isLargeEnough } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'
import { elements, firstRow, folder, isAt, pushAside, row, scrollTo, view } from './webmail-list-page.ts'
import { folderOf, plantMessages } from './webmail-site.ts'

const PLANTED = 120
/** So many that a page for each would be seen; 100,000 are the bench's. */
const MANY = 5_000
/** To the API until the inbox is there and listens. */
const MAX_CALLS = 6
/** Of the whole page: it does not grow with the list. */
const MAX_ELEMENTS = 1500

let site: MailSite
let ada: Mailbox
let inbox: string

before(async () => {
  site = await startMailSite()
  const customer = await site.signUp()
  ada = await site.mailbox(customer.id, 'ada@example.test')
  inbox = await folderOf(site, ada.address.id, 'inbox')
  await plantMessages(site, { addressId: ada.address.id, folderId: inbox, count: PLANTED })
  const junk = await folderOf(site, ada.address.id, 'junk')
  await plantMessages(site, { addressId: ada.address.id, folderId: junk, count: MANY, mark: '8002' })
})
after(() => site.close())

const deliver = (subject: string, more: Record<string, string> = {}) =>
  site.deliver(
    { from: 'ann@outside.test', to: ['ada@example.test'] },
    letter({ To: 'ada@example.test', Subject: subject, ...more }),
  )

const totalOf = async (query: string): Promise<number> =>
  (await ada.client.get(`/api/mail/messages?per_page=10&${query}`)).body.total
const subjectAt = (page: Page, index: number) =>
  page.locator(`[data-row][aria-posinset="${index + 1}"]`).getByText(`Message number ${MANY - index}`, { exact: true })
describe('the list of the webmail', () => {
  browserTest(
    'shows what arrives, is worked with by keys, mouse and finger, and opens a long folder like a short one',
    {},
    async (visit) => {
      await arrive(visit)
      await useKeys(visit.page)
      await useFolders(visit)
      await search(visit)
      await chooseMany(visit)
      await waitForLater(visit)
      await openLongFolder(visit)
      await arrangePanes(visit)
      await onPhoneInTheDark(visit, () => useFinger(visit))
    },
  )
})

/** Mail that arrives shows up by itself, and never moves what one reads. */
const arrive = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const asked = apiCalls(page)
  await enterWebmail(visit, site, ada)
  await row(page, `Message number ${PLANTED}`).waitFor()
  await page.getByText('January 2025').waitFor()
  await deliver('Lunch on Friday', { 'Message-ID': '<lunch@outside.test>' })
  await row(page, 'Lunch on Friday').waitFor()
  // The new mail came with the stream: nothing was requested for it
  assert.ok(asked.length <= MAX_CALLS, asked.join('\n'))
  assert.match((await firstRow(page).textContent()) ?? '', /Ann Outside.*Lunch on Friday.*Good day/s)
  assert.match((await folder(page, 'Inbox').textContent()) ?? '', /13/)
  // The picture of a person becomes a checkbox while the pointer is on the row
  const [face, box] = [firstRow(page).locator('[data-initials=AO]'), firstRow(page).getByRole('checkbox')]
  const isSeen = (part: Locator) =>
    part.evaluate((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  await page.mouse.move(0, 0)
  await until(async () => (await isSeen(face)) && !(await isSeen(box)), 'the picture')
  await firstRow(page).hover()
  await until(async () => (await isSeen(box)) && !(await isSeen(face)), 'the box')
  await visit.axe()
  await isLargeEnough(page, 'body')
  await fits(visit, 'webmail-list')

  const list = page.locator('[data-message-list]')
  await list.evaluate((element) => element.scrollTo(0, 3000))
  const seen = row(page, 'Message number 81')
  await seen.waitFor()
  const top = async () => (await seen.boundingBox())?.y
  const before = await top()
  await row(page, 'Message number 80').getByRole('checkbox').check()
  await deliver('Another lunch')
  await page.getByText('1 selected').waitFor()
  await page.waitForFunction(() => document.querySelector('[data-message-list] [aria-setsize="122"]'))
  await page.waitForFunction((y) => {
    const rows = [...document.querySelectorAll('[data-row]')]
    const found = rows.find((each) => each.textContent?.includes('Message number 81'))
    return found !== undefined && Math.abs(found.getBoundingClientRect().y - Number(y)) < 2
  }, before)
  assert.ok(await row(page, 'Message number 80').getByRole('checkbox').isChecked())
  await page.keyboard.press('Escape')
  await page.getByText('1 selected').waitFor({ state: 'detached' })
}

/** Everything can be done with the keyboard. */
const useKeys = async (page: Page): Promise<void> => {
  await page.keyboard.press('Home')
  await isAt(page, 'Another lunch')
  await page.keyboard.press('j')
  await isAt(page, 'Lunch on Friday')
  await page.keyboard.press('s')
  await row(page, 'Lunch on Friday').getByRole('button', { name: /^Flag/, pressed: true }).waitFor()
  await page.keyboard.press('o')
  await page.getByRole('heading', { name: 'Lunch on Friday' }).waitFor()
  await page.waitForURL(/\/webmail\/inbox\/[0-9a-f-]{36}$/)
  await blockAndUndo(page)
  await page.keyboard.press('k')
  await page.getByRole('heading', { name: 'Another lunch' }).waitFor()
  await page.keyboard.press('e')
  // The next one is read on
  await page.getByRole('heading', { name: 'Lunch on Friday' }).waitFor()
  await row(page, 'Another lunch').waitFor({ state: 'detached' })
  await page.keyboard.press('u')
  await page.getByText('Select a message to read it').waitFor()
  // A conversation is one row, and is acted on as a whole
  await deliver('Re: Lunch on Friday', { References: '<lunch@outside.test>', 'In-Reply-To': '<lunch@outside.test>' })
  await row(page, 'Re: Lunch on Friday').getByText('2 messages').waitFor()
  await page.keyboard.press('Home')
  await isAt(page, 'Re: Lunch on Friday')
  const third = async () => (await page.locator('[data-row]').nth(2).boundingBox())?.y
  const before = await third()
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('x')
  await page.getByText('2 selected').waitFor()
  await page.getByRole('button', { name: /^Select all \d+ in Inbox/ }).waitFor()
  assert.equal(await third(), before, 'the rows stay where they are')
  await page.keyboard.press('#')
  await row(page, 'Re: Lunch on Friday').waitFor({ state: 'detached' })
  await page.getByText('3 messages moved to Trash').waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.getByRole('heading', { name: 'Trash', exact: true }).waitFor()
  await row(page, 'Re: Lunch on Friday').waitFor()
  assert.equal(await totalOf(`folder_id=${inbox}`), PLANTED - 1)
  await page.keyboard.press('?')
  await dialogOf(page).getByText('Go to Inbox').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByPlaceholder('Search mail, folders').waitFor()
  await page.keyboard.type('archi')
  await page.keyboard.press('Enter')
  await row(page, 'Another lunch').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('l')
  await page.getByPlaceholder('Label as…').fill('Fun things')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await folder(page, 'Fun things').click()
  await row(page, 'Another lunch').getByText('Archive').waitFor()
  await page.getByRole('heading', { name: 'Fun things' }).waitFor()
}

/** The sender of the open message is blocked from its menu, and unblocked with Undo. */
const blockAndUndo = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^More actions for the message from Ann/ }).click()
  await page.getByRole('menuitem', { name: 'Block sender' }).click()
  const toast = page.locator('[data-toaster] > div').filter({ hasText: 'ann@outside.test blocked' })
  await toast.waitFor()
  assert.equal((await ada.client.get('/api/mail/senders')).body.data[0]?.action, 'block')
  await toast.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('ann@outside.test unblocked').waitFor()
  assert.equal((await ada.client.get('/api/mail/senders')).body.total, 0)
}

/** Folders are made, filled by dragging, renamed and deleted; refusals are said kindly. */
const useFolders = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await folder(page, 'Inbox').click()
  await page.waitForURL(/\/webmail\/inbox$/)
  await row(page, 'Message number 110').waitFor({ state: 'attached' })
  await ada.client.post('/api/mail/folders', { name: 'Projects' })
  await page.getByRole('button', { name: 'New folder' }).click()
  await page.getByLabel('Name').fill('Projects')
  await page.getByRole('button', { name: 'Create folder' }).click()
  await page.getByText('A folder with this name already exists').first().waitFor()
  visit.expectProblem(/409/)
  await visit.shot('webmail-folder-dialog')
  await page.getByLabel('Name').fill('Stoa')
  await page.getByRole('button', { name: 'Create folder' }).click()
  await page.getByText('This folder is empty').waitFor()
  await folder(page, 'Inbox').click()
  await row(page, `Message number ${PLANTED - 5}`)
    .getByRole('checkbox')
    .check()
  await row(page, `Message number ${PLANTED - 6}`)
    .getByRole('checkbox')
    .check()
  await row(page, `Message number ${PLANTED - 6}`).dragTo(folder(page, 'Stoa'))
  await page.getByText('2 messages moved to Stoa').waitFor()
  await folder(page, 'Stoa').dragTo(folder(page, 'Projects'))
  await page.getByText('Stoa moved to Projects').waitFor()
  await folder(page, 'Stoa').click()
  await row(page, `Message number ${PLANTED - 6}`).waitFor()
  assert.equal(await page.locator('[data-row]').count(), 2)

  const act = async (name: string, item: string) => {
    await folder(page, name).hover()
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await act('Stoa', 'Rename or move…')
  await page.getByLabel('Name').fill('Stoa mail')
  await page.getByRole('button', { name: 'Save' }).click()
  await folder(page, 'Stoa mail').waitFor()
  await act('Stoa mail', 'Delete…')
  await dialogOf(page).getByText('2 messages move to Trash').waitFor()
  await confirm(page, 'Delete folder')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await folder(page, 'Stoa mail').waitFor({ state: 'detached' })
}

/** A search suggests, and narrows as one types; what it finds is acted on as a whole. */
const search = async (visit: Visit): Promise<void> => {
  const { page } = visit
  for (const number of [1, 2, 3]) await deliver(`Invoice ${number}`, { From: 'Billing <billing@shop.test>' })
  await row(page, 'Invoice 3').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('sub')
  await page.getByRole('option', { name: /^subject:/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.insertText('invoice is:unr')
  await page.getByRole('option', { name: 'unread' }).waitFor()
  await visit.shot('webmail-search-suggestions')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/webmail\/search\?q=subject%3Ainvoice\+is%3Aunread/)
  await page.getByText('3 found').waitFor()
  await page.getByRole('combobox', { name: 'Search mail' }).fill('from:billing')
  await page.getByText('3 found').waitFor()
  await row(page, 'Invoice 3').locator('mark').getByText('Billing').waitFor()
  await visit.shot('webmail-search')
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Select all messages on this page' }).click()
  await page.getByText('3 selected').waitFor()
  await page.getByRole('button', { name: 'Archive', exact: true }).click()
  await page
    .locator('[data-toaster] > div')
    .filter({ hasText: '3 messages archived' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await row(page, 'Invoice 3').waitFor()
}

/** Rows are chosen one by one, from one to another, and all at once. */
const chooseMany = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await row(page, 'Invoice 3').getByRole('checkbox').click()
  await row(page, 'Message number 119')
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await page.getByText('4 selected').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('menuitemradio', { name: 'Unread' }).click()
  await page.waitForURL(/show=unread/)
  await page.waitForFunction(() => document.querySelectorAll('[data-row]:not([data-unread])').length === 0)
  await page.getByRole('checkbox', { name: 'Select all messages on this page' }).click()
  await page.getByRole('button', { name: 'Filter: Unread' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await folder(page, 'Inbox').click()
  await view(page, 'menuitemradio', 'Oldest first')
  await row(page, 'Message number 1').waitFor()
  await page.getByRole('checkbox', { name: 'Select all messages on this page' }).click()
  await page.getByRole('button', { name: /^Select all \d+ in Inbox/ }).click()
  await page.getByText(/^All \d+ conversations in Inbox are selected/).waitFor()
  await visit.shot('webmail-bulk')
  await page.getByRole('button', { name: 'Mark as read' }).click()
  await page.waitForFunction(() => document.querySelectorAll('[data-row][data-unread]').length === 0)
  await page.getByText(/messages marked as read/).waitFor()
  assert.equal(await totalOf(`folder_id=${inbox}&unread=1`), 0)
  await page.getByText("You're all caught up").waitFor()
  assert.equal(await folder(page, 'Inbox').innerText(), 'Inbox')
}

/** Mail for later waits in its place and can be taken back; a list that fails can be tried again. */
const waitForLater = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const later = new Date(Date.now() + 86_400_000).toISOString()
  const message = { to: ['ann@outside.test'], subject: 'See you tomorrow', text: 'Bye.', send_at: later }
  assert.equal((await ada.client.post('/api/mail/send', message)).status, 200)
  await folder(page, 'Scheduled').click()
  await page.getByText('See you tomorrow').waitFor()
  assert.match((await folder(page, 'Scheduled').textContent()) ?? '', /1/)
  await visit.axe('#content')
  await visit.shot('webmail-scheduled')
  await page.getByRole('button', { name: 'Cancel sending' }).click()
  await page.getByText('Nothing scheduled').waitFor()
  await page.route('**/api/mail/messages?*', (route) => route.fulfill({ status: 418 }))
  await folder(page, 'Drafts').click()
  await page.getByText("Couldn't load messages").waitFor()
  await visit.shot('webmail-list-error')
  const retry = page.getByRole('button', { name: 'Retry' })
  await Promise.all([page.waitForRequest(/messages\?/), retry.click()])
  await page.unroute('**/api/mail/messages?*')
  // What was taken back a moment ago is read again by itself, too
  await retry.or(row(page, 'See you tomorrow').getByRole('checkbox')).click()
  await row(page, 'See you tomorrow').waitFor()
  visit.expectProblem(/418/)
}

/** A large folder opens like a small one, and any place of it can be jumped to. */
const openLongFolder = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/mail/messages?')) asked.push(request.url())
  })
  await folder(page, 'Junk').click()
  await subjectAt(page, 0).waitFor()
  await page.getByText('5,000').first().waitFor()
  assert.ok(asked.length <= 2, `${asked.length} pages for the first rows`)
  const size = await elements(page)
  assert.ok(size < MAX_ELEMENTS, `${size} elements`)

  await scrollTo(page, 1)
  await subjectAt(page, MANY - 1).waitFor()
  await scrollTo(page, 0.5)
  await subjectAt(page, MANY / 2).waitFor()
  assert.ok((await elements(page)) < MAX_ELEMENTS)
  // The bar is pulled along: what flies past is not asked for page by page
  const before = asked.length
  await page.locator('[data-message-list]').evaluate(async (list) => {
    for (let step = 1; step <= 30; step += 1) {
      list.scrollTo(0, list.scrollHeight * (0.5 + step / 75))
      await new Promise(requestAnimationFrame)
    }
  })
  await subjectAt(page, Math.round(MANY * 0.9)).waitFor()
  assert.ok(asked.length - before < 30, `${asked.length - before} pages were asked for on the way`)
  const seen = page.locator('[data-row]').nth(8)
  const id = await seen.getAttribute('data-row')
  await seen.locator('a').click()
  await page.waitForURL(new RegExp(`/webmail/junk/${id}`))
  await page.getByRole('heading', { name: /^Message number/ }).waitFor()
  await page.keyboard.press('u')
  await page.waitForURL(/\/webmail\/junk$/)
  assert.equal(await page.locator(`[data-row="${id}"]`).count(), 1)
  await visit.shot('webmail-long-list')
}

/** It is read in one pane, below the list, and without conversations, as one likes. */
const arrangePanes = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await site.deliver(
    { from: 'ann@outside.test', to: ['ada@example.test'] },
    letter({
      To: 'ada@example.test',
      From: '"Dr. Annabella von Oberstallmeisteramtsverwaltung" <ann@outside.test>',
      Subject: 'A subject that goes on and on, Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen and further',
    }),
  )
  await folder(page, 'Inbox').click()
  const long = page.locator('[data-row]').first()
  await long.getByText('Annabella').waitFor()
  await view(page, 'menuitemradio', 'Below the list')
  await long.locator('a').click()
  await page.getByRole('heading', { name: /goes on and on/ }).waitFor()
  await visit.shot('webmail-below')
  await view(page, 'menuitemradio', 'Full width')
  await page.getByText(`1 of ${await totalOf(`folder_id=${inbox}`)}`).waitFor()
  await page.getByRole('button', { name: 'Inbox', exact: true }).click()
  await view(page, 'menuitemcheckbox', 'Conversations')
  await page.getByRole('list', { name: 'Messages' }).waitFor()
  await visit.shot('webmail-one-pane')
  const comfortable = (await firstRow(page).boundingBox())?.height ?? 0
  await view(page, 'menuitemradio', 'Compact')
  await page.waitForFunction((before) => {
    const row = document.querySelector('[data-row]')
    return row !== null && row.getBoundingClientRect().height < before
  }, comfortable)
  await visit.shot('webmail-compact')
  const { body } = await ada.client.get('/api/mail/settings')
  assert.deepEqual([body.reading_pane, body.conversations, body.density], ['none', false, 'compact'])
}

/** One pane at a time. */
const useFinger = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await fits(visit, 'webmail-list-390-dark')
  await page.getByRole('button', { name: 'Open folders' }).click()
  await fits(visit, 'webmail-folders-390-dark')
  await folder(page, 'Archive').click()
  await row(page, 'Another lunch').waitFor()
  await page.getByRole('button', { name: 'Open folders' }).click()
  await folder(page, 'Inbox').click()
  await page.locator('[data-row] a').first().click()
  await page.getByRole('heading', { name: /goes on and on/ }).waitFor()
  await visit.shot('webmail-open-390-dark')
  await page.getByRole('button', { name: 'Inbox' }).click()
  await pushAside(visit)
  await page.getByRole('checkbox', { name: 'Select all messages on this page' }).click()
  await page.getByText(/^\d+ selected$/).waitFor()
  await fits(visit, 'webmail-chosen-390-dark')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('combobox', { name: 'Search mail' }).fill('from:')
  await visit.shot('webmail-search-390-dark')
}
