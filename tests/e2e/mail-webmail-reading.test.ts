import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { after, before, describe } from 'node:test'
import { plantReader, type Reader } from '@stoa/mail/doors/webmail/testing/ground.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { FrameLocator, Page } from 'playwright-core'
import { browserTest, type Visit } from '../lib/browser.ts'
import { enterWebmail, letter, type MailSite, startMailSite } from './mail-page.ts'
import { confirm, dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'
import { base64, FILE, hostileMail, invitation, PNG, TALK, talk, withFiles } from './webmail-letters.ts'

const EMAIL = 'olive@reading.test'
let site: MailSite
let mailbox: Reader
let pictures: Server
let pictureUrl = ''
const asked: string[] = []

before(async () => {
  pictures = createServer((request, response) => {
    asked.push(String(request.url))
    response.setHeader('content-type', 'image/png').end(PNG)
  })
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve))
  const address = pictures.address()
  pictureUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  site = await startMailSite({ IMAGE_ALLOW_PRIVATE: 'true', UNSUBSCRIBE_ALLOW_PRIVATE: 'true' })
  const { id } = await site.signUp()
  mailbox = await plantReader(site, EMAIL, id)
  await plantMail()
})
after(async () => {
  await site.close()
  pictures.close()
})

const send = (members: Record<string, string>, text?: string) =>
  site.deliver({ from: 'ann@outside.test', to: [EMAIL] }, letter({ To: EMAIL, ...members }, text))

/** It is there without having come. */
const plant = (members: Record<string, string>, text?: string, keywords: string[] = []) =>
  mailbox.add({ raw: letter({ To: EMAIL, ...members }, text), keywords })

const plantHtml = (members: Record<string, string>, body: string) =>
  plant(
    {
      'MIME-Version': '1.0',
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Transfer-Encoding': 'base64',
      ...members,
    },
    `${base64(Buffer.from(body))}\r\n`,
  )

type Listed = { id: string; subject: string; folder_id: string; keywords: string[]; snoozed_until: string | null }

const found = async (search: string): Promise<Listed[]> => {
  const query = new URLSearchParams({ search: `${search} in:anywhere`, per_page: '50' })
  return (await mailbox.client.get(`/api/mail/messages?${query}`)).body.data
}

const one = async (subject: string): Promise<Listed> => {
  const [message] = await found(`subject:"${subject}"`)
  return message ?? assert.fail(`no message ${subject}`)
}

const roleOf = async (subject: string): Promise<string | null> => {
  const folders = (await mailbox.client.get('/api/mail/folders?per_page=100')).body.data
  const { folder_id: id } = await one(subject)
  return folders.find((folder: { id: string }) => folder.id === id)?.role ?? id
}

const open = (page: Page, subject: string) => page.getByRole('link', { name: subject }).first().click()
const frameOf = (page: Page, which = -1): FrameLocator =>
  (which < 0
    ? page.locator('iframe[data-state=ready]').last()
    : page.locator('iframe[data-state=ready]').nth(which)
  ).contentFrame()
const undo = async (page: Page, title: RegExp) => {
  const toast = page.locator('[data-toaster] > div').filter({ hasText: title }).last()
  await toast.getByRole('button', { name: 'Undo' }).click()
}

const plantMail = async (): Promise<void> => {
  const word = 'unbreakable'.repeat(40)
  await plantHtml(
    { Subject: `Wide and ${word}`, From: '"Dr. Annabella von Oberstallmeisteramtsverwaltung" <ann@outside.test>' },
    `<table width="700"><tr><td style="background:#eef;color:#223">A newsletter that is wider than a phone</td></tr></table><p>${word}</p>`,
  )
  await plant({ Subject: 'Only words' }, 'Plain text takes the colours of the app.\r\n')
  await plant({ Subject: 'An offer' })
  await plant({ Subject: 'Next in line' })
  const from = '"<script>top.ran(1)</script>" <x@outside.test>'
  await plantHtml({ Subject: 'Free <img src=x onerror=top.ran("subject")> money', From: from }, hostileMail(pictureUrl))
  await plant(
    {
      Subject: 'Weekly figures',
      From: 'News <news@letters.test>',
      'List-Id': 'Weekly <weekly.letters.test>',
      'MIME-Version': '1.0',
      'Content-Type': 'multipart/mixed; boundary=b',
    },
    withFiles(pictureUrl),
  )
  for (const index of [0, 1, 2, 3, 4]) await plant(...talk(index), ['$seen'])
  await send(...talk(5))
  await plant(...invitation(EMAIL))
  await plant(...invitation(EMAIL, 'CANCEL'))
  await plantHtml(
    { Subject: 'Your account', From: '"help@bank.com" <x@reeding.test>' },
    '<p dir="ltr">Sign in at <a href="https://evil.net/login">www.bank.com</a></p>',
  )
  await plantHtml({ Subject: 'From right to left', From: 'Noa <noa@outside.test>' }, '<p>שלום עולם</p>')
  await plantList()
  await until(async () => (await found('subject:harbour')).length === 6, 'all can be found')
}

/** A newsletter whose signature passed when it came, and covers how to leave it. */
const plantList = () =>
  mailbox.add({
    prefix:
      'Authentication-Results: mx.stoa.test; dkim=pass header.d=shop.test header.s=s1 header.b=abcdefgh;' +
      ' dmarc=pass header.from=shop.test\r\nReceived: by mx.stoa.test; now\r\n',
    raw: letter({
      To: EMAIL,
      Subject: 'Shop news',
      From: 'Shop <news@shop.test>',
      'DKIM-Signature': 'v=1; d=shop.test; s=s1; h=From:List-Unsubscribe:List-Unsubscribe-Post; b=abcdefgh12',
      'List-Unsubscribe': `<${pictureUrl}/leave>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  })

describe('webmail: reading', () => {
  browserTest('mail is read, safe, used and moved about', { alone: true }, async (visit) => {
    await enterWebmail(visit, site, mailbox)
    await readConversation(visit)
    await meetHostileMail(visit)
    await useFiles(visit)
    await fileLikeThis(visit)
    await answerInvitation(visit)
    await doubtSenders(visit)
    await replyBelow(visit)
    await act(visit.page)
    await goToInbox(visit.page)
    await onPhoneInTheDark(visit, () => readOnPhone(visit))
  })
})

/** A conversation is read, unfolded, gone through and marked as read. */
const readConversation = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await open(page, 'Harbour plans')
  await frameOf(page).getByText('Part 5 of the talk').waitFor()
  assert.equal(await page.locator('iframe').count(), 1)
  await until(async () => (await found('subject:harbour is:unread')).length === 0, 'it is marked as read')
  await page.getByRole('button', { name: '3 older messages' }).waitFor()
  await page.getByRole('button', { name: /^to me, Cleo/ }).click()
  await page.getByText('Not verified').waitFor()
  const link = frameOf(page).getByRole('link', { name: 'https://example.org/5' })
  assert.deepEqual(
    [await link.getAttribute('target'), await link.getAttribute('rel')],
    ['_blank', 'noopener noreferrer nofollow'],
  )
  assert.equal(await frameOf(page).getByText('What was said').isVisible(), false)
  await look(visit, 'webmail-reading-conversation')
  await frameOf(page).getByText('Quoted text').click()
  await frameOf(page).getByText('What was said').waitFor()
  // Keys work where the focus is in the mail
  await frameOf(page).locator('body').click()
  await page.keyboard.press(';')
  await page.waitForFunction(() => document.querySelectorAll('iframe[data-state=ready]').length === 6)
  await frameOf(page, 0).getByText('Part 0 of the talk').waitFor()
  await page.keyboard.press(':')
  await page.waitForFunction(() => document.querySelectorAll('iframe').length === 1)
  await page.keyboard.press('p')
  await page.getByRole('region', { name: 'Message from Ann Outside' }).waitFor()
  // Mail that comes in while it is open stands below the rest
  await send(
    { Subject: 'Re: Harbour plans', 'In-Reply-To': String(TALK[5]), References: TALK.join(' ') },
    'Part 6.\r\n',
  )
  await frameOf(page).getByText('Part 6.').waitFor()
}

/** Hostile mail runs nothing and asks nothing of others. */
const meetHostileMail = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const [ran, left]: [string[], string[]] = [[], []]
  await page.exposeFunction('ran', (what: string) => void ran.push(what))
  page.on('dialog', (dialog) => {
    ran.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('popup', (popup) => void left.push(popup.url()))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(site.url) && !url.startsWith('data:') && !url.startsWith('blob:')) left.push(url)
  })
  await open(page, 'Free <img')
  const frame = frameOf(page)
  await frame.getByText('Look at this').waitFor()
  await page.getByText('Remote images are hidden').waitFor()
  const touchEverything = () =>
    page.evaluate(() => {
      for (const element of document.querySelector('iframe')?.contentDocument?.querySelectorAll('body *') ?? [])
        for (const type of ['mouseover', 'focus', 'pointerenter', 'toggle', 'submit', 'click']) {
          const leaves = type === 'click' && element.closest('a[href]') !== null
          if (!leaves) element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }))
        }
    })
  await touchEverything()
  assert.deepEqual([ran, left, asked], [[], [], []])
  assert.equal(
    await page.locator('iframe').first().getAttribute('sandbox'),
    'allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  )
  await visit.shot('webmail-reading-hostile')
  await page.getByRole('button', { name: 'Show images' }).click()
  await page.waitForFunction(() => {
    const image = document.querySelector('iframe')?.contentDocument?.querySelector('img')
    return image?.complete && image.naturalWidth === 10 && image.src.includes('/api/mail/proxy/')
  })
  await touchEverything()
  assert.deepEqual([ran, left], [[], []])
  assert.deepEqual(asked, ['/first.png'])
  assert.equal(new URL(page.url()).origin, site.url)
  assert.equal(page.frames().length, 2)
}

const moreOf = (page: Page) => page.getByRole('button', { name: 'More actions for the message from News' })

/** Files, source, print, pictures of a sender. */
const useFiles = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.evaluate(() => Reflect.set(window, 'print', () => document.body.setAttribute('data-printed', '')))
  await open(page, 'Weekly figures')
  await frameOf(page).getByText('Figures').waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download odd.bin, 3 kB' }).click(),
  ])
  assert.equal(file.suggestedFilename(), 'odd.bin')
  assert.ok(FILE.equals(await readFile(await file.path())))
  await frameOf(page).getByRole('link', { name: 'us' }).click()
  await page.getByText('desk@letters.test').first().waitFor()
  await page.getByRole('button', { name: 'Save and close' }).click()
  await previewPdfs(visit)
  await page.getByRole('button', { name: 'Always show' }).click()
  await page.getByRole('menuitem', { name: 'Always from news@letters.test' }).click()
  await page.waitForFunction(
    () => document.querySelector('iframe')?.contentDocument?.querySelector('img')?.naturalWidth === 10,
  )
  assert.deepEqual((await mailbox.client.get('/api/mail/settings')).body.image_senders, ['news@letters.test'])

  await moreOf(page).click()
  await page.getByRole('menuitem', { name: 'View source' }).click()
  await dialogOf(page).getByText('List-Id: Weekly <weekly.letters.test>').waitFor()
  await page.keyboard.press('Escape')
  await moreOf(page).click()
  await page.getByRole('menuitem', { name: 'Print' }).click()
  await page.locator('body[data-printed]').waitFor()
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.locator('[data-print]').getByText('odd.bin, chart.png').isVisible(), true)
  assert.equal(await page.getByRole('button', { name: 'Compose' }).isVisible(), false)
  await visit.shot('webmail-reading-print')
  await page.emulateMedia({ media: null })
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await page.locator('[data-print]').waitFor({ state: 'detached' })
}

/** The pages of a PDF are drawn and nothing else of it is there. */
const previewPdfs = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const dialog = dialogOf(page)
  const drawn = (name: string) => dialog.locator('[data-state=drawn]').getByRole('img', { name })
  await page.getByRole('button', { name: 'Preview plan.pdf' }).click()
  await dialog.getByText('Page 1 of 2').waitFor()
  const blue = await drawn('Page 1').evaluate((canvas: HTMLCanvasElement) => {
    const { width, height } = canvas
    return [...(canvas.getContext('2d')?.getImageData(width / 2, height * 0.7, 1, 1).data ?? [])]
  })
  assert.deepEqual(blue, [0, 0, 255, 255])
  await look(visit, 'webmail-reading-pdf')
  assert.equal(await dialog.getByRole('link').count(), 0)
  const [worker, ...others] = page.workers()
  assert.equal(others.length, 0)
  const asks = await worker?.evaluate((url) => fetch(url).then(String, () => 'blocked'), `${site.url}/api/mail/folders`)
  assert.equal(asks, 'blocked', 'whoever takes over the worker can read the mailbox')
  await until(async () => {
    await page.keyboard.press('End')
    return dialog.getByText('Page 2 of 2').isVisible()
  }, 'the keyboard leads to the last page')
  const area = await drawn('Page 2').evaluate((canvas: HTMLCanvasElement) => canvas.width * canvas.height)
  assert.ok(area > 0 && area <= 8_000_000, `${area} pixels`)
  await page.keyboard.press('Escape')
  await until(async () => page.workers().length === 0, 'the worker has ended')
}

/** A filter is made of a mail. */
const fileLikeThis = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await moreOf(page).click()
  await page.getByRole('menuitem', { name: 'Filter messages like this…' }).click()
  await dialogOf(page).getByLabel('from news@letters.test').check()
  await dialogOf(page).getByLabel('Move to folder').selectOption({ label: 'New folder…' })
  await dialogOf(page).getByLabel('New folder name').fill('Letters')
  await dialogOf(page).getByText('Also move this message now').waitFor()
  await visit.shot('webmail-reading-file-like')
  await dialogOf(page).getByRole('button', { name: 'Create filter' }).click()
  await dialogOf(page).waitFor({ state: 'detached' })
  const folders = (await mailbox.client.get('/api/mail/folders?per_page=100')).body.data
  const made = folders.find(({ name }: { name: string }) => name === 'Letters')
  await until(async () => (await one('Weekly figures')).folder_id === made.id, 'it is filed')
}

const goToInbox = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Folders' })
    .getByRole('link', { name: /^Inbox/ })
    .click()

/** An invitation is answered, and one that was canceled says so. */
const answerInvitation = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await goToInbox(page)
  await page.getByText('Select a message to read it').waitFor()
  await page.getByText(/unread conversations$/).waitFor()
  await visit.shot('webmail-reading-nothing-open')
  await open(page, 'Invitation: Pier inspection')
  const card = page.getByRole('region', { name: 'Invitation', exact: true })
  await card.getByText('Pier 4, by the crane').waitFor()
  await card.getByText('Repeats weekly').waitFor()
  assert.deepEqual(await card.getByRole('button').allInnerTexts(), ['Accept', 'Maybe', 'Decline', 'Add a note'])
  await visit.axe('article')
  await visit.shot('webmail-reading-invitation')
  await onPhoneInTheDark(visit, () => fits(visit, 'webmail-reading-invitation-dark-390'))
  await card.getByRole('button', { name: 'Add a note' }).click()
  await page.keyboard.type('Looking forward to it')
  await visit.shot('webmail-reading-invitation-note')
  await card.getByRole('button', { name: 'Accept' }).click()
  await card.getByRole('button', { name: 'Accept', pressed: true }).waitFor()
  await until(
    async () => site.outside.messages.some(({ raw }) => /method=REPLY.*Looking forward/is.test(String(raw))),
    'the answer was sent',
  )
  await open(page, 'Canceled: Pier inspection')
  await card.getByText('Canceled', { exact: true }).waitFor()
  assert.equal(await card.getByRole('button').count(), 0)
}

/** Who is not whom they seem is named, who is verified has a badge, and a list is left. */
const doubtSenders = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await open(page, 'Your account')
  await page.getByText('The name shows help@bank.com, but this message was sent from x@reeding.test.').waitFor()
  await page.getByText("reeding.test looks like reading.test, but it's a different domain.").waitFor()
  await page.getByText('A link says bank.com, but it opens evil.net.').waitFor()
  await visit.shot('webmail-reading-warnings')
  await onPhoneInTheDark(visit, () => fits(visit, 'webmail-reading-warnings-dark-390'))
  await open(page, 'Shop news')
  await page.getByRole('button', { name: 'Verified sender: shop.test' }).waitFor()
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await confirm(page, 'Unsubscribe')
  await page.getByText('Unsubscribed', { exact: true }).waitFor()
  assert.equal(asked.at(-1), '/leave')
  await open(page, 'From right to left')
  const direction = await frameOf(page)
    .getByText('שלום')
    .evaluate((element) => getComputedStyle(element).direction)
  assert.equal(direction, 'rtl')
}

/** An answer is written below the message, and goes on in a window where the message is left. */
const replyBelow = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const writing = (view: string) => page.locator(`[data-compose-window=${view}]`)
  await open(page, 'Shop news')
  const shop = page.getByRole('article', { name: 'Conversation: Shop news' })
  // What stands below the text moves until it is there
  await shop.locator('iframe[data-state=ready]').waitFor()
  await shop.getByRole('button', { name: 'Reply to Shop' }).last().click()
  await writing('inline').locator('.mail-text').waitFor()
  await page.keyboard.type('No more news, please')
  await fits(visit, 'webmail-reading-reply-inline')
  await writing('inline').getByRole('button', { name: 'Pop out' }).click()
  await writing('docked').getByText('No more news, please').waitFor()
  await writing('docked').getByRole('button', { name: 'Save and close' }).click()
  await writing('docked').waitFor({ state: 'detached' })
}

/** Acts change the mailbox and can be undone. */
const act = async (page: Page): Promise<void> => {
  await goToInbox(page)
  await open(page, 'An offer')
  const heading = page.getByRole('heading', { name: 'An offer', level: 2 })
  const bar = page.getByRole('toolbar', { name: 'Conversation' })
  const again = async () => {
    await until(async () => (await roleOf('An offer')) === 'inbox', 'it is back in the inbox')
    await open(page, 'An offer')
    await heading.waitFor()
  }
  await heading.waitFor()
  await bar.getByRole('button', { name: 'Archive', exact: true }).click()
  await heading.waitFor({ state: 'detached' })
  await until(async () => (await roleOf('An offer')) === 'archive', 'it is archived')
  await undo(page, /archived/)
  await again()
  await bar.getByRole('button', { name: 'Snooze' }).click()
  await page.getByRole('menuitem', { name: /Tomorrow morning/ }).click()
  await until(async () => (await one('An offer')).snoozed_until !== null, 'it is snoozed')
  assert.equal(await roleOf('An offer'), 'snoozed')
  await undo(page, /snoozed until/)
  await again()
  await bar.getByRole('button', { name: 'Mark as unread' }).click()
  await until(async () => !(await one('An offer')).keywords.includes('$seen'), 'it is unread')
  await heading.waitFor({ state: 'detached' })
  await open(page, 'An offer')
  await bar.getByRole('button', { name: 'Move to folder' }).click()
  await page.getByPlaceholder('Move to…').fill('tra')
  await page.getByRole('option', { name: 'Trash' }).click()
  await until(async () => (await roleOf('An offer')) === 'trash', 'it is in the trash')
  await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Trash' }).click()
  await open(page, 'An offer')
  await bar.getByRole('button', { name: 'Delete permanently' }).click()
  await dialogOf(page).getByText('for 30 days').waitFor()
  await confirm(page, 'Delete permanently')
  await until(async () => (await found('subject:offer')).length === 0, 'it is gone')
}

/** One pane at a time, in the colours of the dark; what cannot be shown says so. */
const readOnPhone = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await open(page, 'Only words')
  await frameOf(page).getByText('Plain text').waitFor()
  const ink = await frameOf(page)
    .locator('body')
    .evaluate((body) => getComputedStyle(body).color)
  assert.notEqual(ink, 'rgb(26, 26, 26)')
  await visit.shot('webmail-reading-text-dark-390')
  await page.route('**/view?*', (route) => route.fulfill({ status: 503, json: {} }))
  await page.getByRole('button', { name: 'Next message' }).click()
  await page.getByText("Couldn't display this message").waitFor()
  await visit.shot('webmail-reading-error-390')
  await page.unroute('**/view?*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await frameOf(page).getByText('A newsletter').waitFor()
  visit.expectProblem(/503/)
  await fits(visit, 'webmail-reading-dark-390')
  const bounds = async (role: 'heading' | 'button', name: RegExp) =>
    (await page.getByRole(role, { name }).last().boundingBox()) ?? assert.fail(`no ${name}`)
  const forward = await bounds('button', /^Forward$/)
  assert.ok(forward.x + forward.width <= 390, 'the ways to answer are cut off')
  assert.ok((await bounds('heading', /^Wide/)).height < 100, 'the subject covers the message')
  await page.getByRole('button', { name: 'Show in original colors' }).click()
  await page.getByRole('button', { name: 'Show in dark mode' }).waitFor()
  await visit.shot('webmail-reading-dark-original-390')
  await page.evaluate((id) => history.pushState({}, '', `/webmail/inbox/${id}`), mailbox.address.id)
  await page.getByText('This message no longer exists').waitFor()
  visit.expectProblem(/404/)
}
