// The pictures of the mail service: a small bookshop with its domain, its mail and what its programs send.
import { plantReader, type Reader } from '@stoa/mail/doors/webmail/testing/ground.ts'
import { enterPanel, enterWebmail, type MailSite, startMailSite } from '@stoa/tests/e2e/mail-page.ts'
import type { Browser, Page } from 'playwright-core'
import { Resend } from 'resend'
import { heading, LOOKS, openPage, PERSON, type Screen, shoot, shootScreens, text } from './pictures.ts'

const DOMAIN = 'harbourbooks.test'
const HOUR_MS = 3_600_000

type Letter = { from: string; subject: string; html: string; hoursAgo: number; keywords?: string[]; thread?: string }

const LETTERS: readonly Letter[] = [
  {
    from: 'Grace Hopper <grace@nanosecond.test>',
    subject: 'The charts for the spring window',
    html: '<p>Good morning Ada,</p><p>the <b>three sea charts</b> are framed and ready. Shall I bring them on Thursday, before you open?</p><p>The big one needs two people to carry. I would hang it over the counter, where the light is best:</p><ul><li>the estuary, 1842</li><li>the northern lights</li><li>the harbour at night</li></ul><p>Best, Grace</p>',
    hoursAgo: 0.4,
    keywords: ['$flagged'],
  },
  {
    from: 'Lighthouse Press <orders@lighthouse.test>',
    subject: 'Your order 2026-118 has shipped',
    html: '<p>Twelve copies of “How to dry a wet book” are on their way.</p>',
    hoursAgo: 1.2,
  },
  {
    from: 'Alan Turing <alan@enigma.test>',
    subject: 'Reading on Friday: thirty people so far',
    html: '<p>Thirty people have written that they come. Do we have chairs?</p>',
    hoursAgo: 3,
  },
  {
    from: 'Mary Shelley <mary@geneva.test>',
    subject: 'A question about the second edition',
    html: '<p>Is the preface of 1831 in it as well?</p>',
    hoursAgo: 5,
    keywords: ['$seen'],
  },
  {
    from: 'The Municipality <events@harbour-town.test>',
    subject: 'Permit for the book market in May',
    html: '<p>Please find the permit attached.</p>',
    hoursAgo: 9,
    keywords: ['$seen', 'market'],
  },
  {
    from: 'Jules Verne <jules@nautilus.test>',
    subject: 'Twenty boxes, two of them heavy',
    html: '<p>They arrive on Monday.</p>',
    hoursAgo: 26,
    keywords: ['$seen', '$answered'],
  },
  {
    from: 'Emmy Noether <emmy@rings.test>',
    subject: 'Re: Shelves for the mathematics corner',
    html: '<p>Symmetry helps: five shelves on either side.</p>',
    hoursAgo: 30,
    keywords: ['$seen'],
  },
  {
    from: 'Card Services <receipts@cards.test>',
    subject: 'Your statement of October',
    html: '<p>Nothing to pay.</p>',
    hoursAgo: 50,
    keywords: ['$seen'],
  },
  {
    from: 'Rosalind Franklin <rosalind@fifty-one.test>',
    subject: 'Photographs of the window',
    html: '<p>Here they are.</p>',
    hoursAgo: 75,
    keywords: ['$seen'],
  },
  {
    from: 'Harbour Radio <studio@harbour-radio.test>',
    subject: 'Interview next week',
    html: '<p>Would Tuesday at ten suit you?</p>',
    hoursAgo: 100,
    keywords: ['$seen'],
  },
]

const plantLetters = async (site: MailSite, reader: Reader): Promise<void> => {
  for (const { from, subject, html, hoursAgo, keywords } of LETTERS)
    await reader.add({
      from,
      to: `Ada Lovelace <ada@${DOMAIN}>`,
      subject,
      html,
      ...(keywords ? { keywords } : {}),
      receivedAt: new Date(site.clock.now().getTime() - hoursAgo * HOUR_MS),
    })
}

/** A month of coming and going, for the chart. */
const plantMonth = async ({ database }: MailSite, addressId: string): Promise<void> => {
  await database.pool.query(
    `insert into activity (address_id, id, type, direction, created_at, sender, recipient, subject)
     select $1, gen_random_uuid(), type, direction, now() - day * interval '1 day' - nth * interval '7 minutes',
       'grace@nanosecond.test', 'ada@${DOMAIN}', 'The charts'
     from generate_series(0, 29) day,
       lateral (values ('received', 'in', 18 + (day * 7) % 13), ('sent', 'out', 9 + (day * 5) % 8), ('rejected', 'in', (day * 3) % 5))
         as kind (type, direction, many),
       lateral generate_series(1, many) nth`,
    [addressId],
  )
}

/** Sends the transactional mails of the shop. */
const sendMails = async (site: MailSite, token: string): Promise<void> => {
  const resend = new Resend(token, { baseUrl: `${site.url}/api` })
  const from = `Harbour Books <shop@${DOMAIN}>`
  const mails = [
    { to: 'grace@nanosecond.test', subject: 'Your order 4711 is packed' },
    { to: 'alan@enigma.test', subject: 'Your ticket for Friday' },
    { to: `bounced@simulator.mx.stoa.test`, subject: 'Your order 4712 is packed' },
    { to: 'mary@geneva.test', subject: 'Your order 4713 is packed' },
    { to: 'emmy@rings.test', subject: 'Welcome to the reading circle' },
  ]
  for (const mail of mails)
    await resend.emails.send({
      from,
      ...mail,
      html: '<h1>Harbour Books</h1><p>Thank you.</p>',
      tags: [{ name: 'kind', value: 'order' }],
    })
  await resend.emails.send({
    from,
    to: 'jules@nautilus.test',
    subject: 'The market is tomorrow',
    text: 'Come early.',
    scheduledAt: 'tomorrow at 9am',
  })
}

/** The composer with the beginning of an answer. */
const writeLetter = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Compose' }).click()
  const composer = page.locator('[data-compose-window]').last()
  await composer.getByRole('combobox', { name: 'To' }).fill('Grace Hopper <grace@nanosecond.test>,')
  await composer.getByLabel('Subject').fill('Thursday, before we open')
  await composer.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.type('Dear Grace,')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Thursday at nine is perfect. Alan can help with the big one.')
  await page.waitForFunction(() => document.querySelector('[data-draft-line]')?.textContent?.includes('Saved'))
  await shoot(page, name)
}

/** Light and dark on a desk, dark on a phone. */
const MAIL_LOOKS = LOOKS.filter(({ suffix }) => suffix !== '-phone')

/** Panel and webmail in every look; gives the pictures that did not come. */
export const shootMail = async (browser: Browser): Promise<string[]> => {
  const site = await startMailSite()
  const missing: string[] = []
  try {
    const owner = await site.signUp(PERSON.email)
    await site.database.pool.query('update account set email_verified_at = now()')
    const reader = await plantReader(site, `ada@${DOMAIN}`, owner.id)
    await plantReader(site, `shop@${DOMAIN}`, owner.id)
    const waiting = (await owner.client.post('/api/domains', { name: 'harbour-books.com' })).body
    await plantLetters(site, reader)
    await plantMonth(site, reader.address.id)
    const key = await owner.client.post('/api/api-keys', { name: 'Shop' })
    await sendMails(site, String(key.body.token))
    const [newest] = (await reader.client.get('/api/mail/messages')).body.data
    const panel: Screen[] = [
      { name: 'mail-overview', path: '/', ready: heading('Mail in the last 30 days') },
      { name: 'mail-domain', path: `/domains/${waiting.id}`, ready: text('Ownership') },
      { name: 'mail-emails', path: '/emails', ready: text('Your ticket for Friday') },
      { name: 'mail-address', path: `/addresses/${reader.address.id}`, ready: heading(`ada@${DOMAIN}`) },
    ]
    const webmail: Screen[] = [
      { name: 'webmail', path: `/webmail/inbox/${newest.id}`, ready: text('Reading on Friday') },
      { name: 'webmail-list', path: '/webmail/inbox', ready: text('Reading on Friday') },
    ]
    for (const look of MAIL_LOOKS) {
      const page = await openPage(browser, `${site.url}/healthz`, look)
      const visit = { page, context: page.context() }
      await enterPanel(visit, site, owner, '/')
      missing.push(...(await shootScreens(page, site.url, panel, look.suffix)))
      await enterWebmail(visit, site, reader)
      missing.push(...(await shootScreens(page, site.url, webmail, look.suffix)))
      if (!look.options.isMobile) await writeLetter(page, `webmail-compose${look.suffix}`)
      await page.context().close()
    }
  } finally {
    await site.close()
  }
  return missing
}
