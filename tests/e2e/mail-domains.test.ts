import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe } from 'node:test'
import { type RunningFake, startFakeProvider } from '@stoa/kit/dns-zones/testing/fake-provider.ts'
import { cloudflare } from '@stoa/kit/dns-zones/testing/fakes/cloudflare.ts'
import { newId } from '@stoa/kit/ids.ts'
import { insertReport } from '@stoa/mail/receiving/reports/queries.ts'
import type { Page } from 'playwright-core'
import { browserTest, type Visit } from '../lib/browser.ts'
import { type FakeDns, startFakeDns } from '../lib/fake-dns.ts'
import { type MailService, startMail } from '../lib/mail.ts'
import { apiCalls, type Customer, enterPanel, lookAtTab } from './mail-page.ts'
import { confirm, dialogOf, fits, hasCopied, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

const DOMAIN = 'harbour-lights.com'
const TOKEN = 'good-token-of-the-tests'
const OTHER_SPF = 'v=spf1 include:_spf.other-mail.com -all'

let dns: FakeDns
let provider: RunningFake
let service: MailService
let owner: Customer
before(async () => {
  dns = await startFakeDns()
  provider = await startFakeProvider(cloudflare)
  service = await startMail({
    isLive: true,
    env: {
      MAIL_HOSTNAME: 'mx.journey-host.com',
      DNS_RESOLVERS: dns.address,
      DNS_API_BASE_CLOUDFLARE: provider.url,
    },
  })
  owner = await service.signUp('owner@example.test')
  dns.set(DOMAIN, 'NS', ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'])
  provider.zone.name = DOMAIN
  provider.zone.add({ fqdn: DOMAIN, type: 'MX', data: '10 mx.other-mail.com' })
  provider.zone.add({ fqdn: DOMAIN, type: 'TXT', data: OTHER_SPF })
  serveZone()
})
after(async () => {
  await service.close()
  await provider.close()
  await dns.close()
})

/** What the provider's name servers say from now on. */
const serveZone = (): void => {
  for (const [fqdn, rows] of Map.groupBy(provider.zone.rows, (row) => row.fqdn)) {
    const of = (type: string) => rows.filter((row) => row.type === type).map(({ data }) => data)
    const texts = of('TXT').map((data) => data.match(/.{1,200}/g) ?? [])
    if (texts.length > 0) dns.set(fqdn, 'TXT', texts)
    const exchanges = of('MX').map((data) => {
      const [preference = '', exchange = ''] = data.split(' ')
      return { preference: Number(preference), exchange }
    })
    if (exchanges.length > 0) dns.set(fqdn, 'MX', exchanges)
  }
}

const api = async (path: string) => (await owner.client.get(path)).body
const domainId = async (): Promise<string> => (await api(`/api/domains?search=${DOMAIN}`)).data[0].id

/** Asks for a check once the service takes one again, and waits for the answer. */
const checkNow = async (page: Page): Promise<void> => {
  service.clock.advance(6000)
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/check')),
    page.getByRole('button', { name: 'Check now' }).last().click(),
  ])
  assert.equal(answer.status(), 200)
}

/** The row of a record, by its name and state: "SPF, Verified". */
const row = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe('domains in the panel', () => {
  browserTest(
    'a domain turns green while one looks, what is wrong is shown, and keys, routing, settings and reports are its own',
    { alone: true },
    async (visit) => {
      await visit.page.clock.install()
      await enterPanel(visit, service, owner, '/domains')
      await addFirst(visit)
      await publish(visit)
      await mendWrongRecord(visit)
      await onPhoneInTheDark(visit, () => fitPhone(visit))
      await switchKeys(visit)
      await routeMail(visit)
      await changeSettings(visit)
      await deleteOther(visit)
      await readReports(visit)
    },
  )
})

/** What is no domain of anybody is refused; the first check comes by itself. */
const addFirst = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.getByText('No domains yet').waitFor()
  await page.getByRole('button', { name: 'Add domain' }).first().click()
  await add(page, 'co.uk')
  await page.getByText('This is a public suffix; enter a domain you own.').waitFor()
  visit.expectProblem(/400/)
  await add(page, `https://${DOMAIN.toUpperCase()}/contact`)
  await page.getByRole('heading', { name: DOMAIN }).waitFor()
  await row(page, 'MX, Incorrect').waitFor()
  await row(page, 'DKIM s1, Not found yet').waitFor()
  await page.getByRole('heading', { name: 'Needed 0 of 4 verified' }).waitFor()
  await page.getByText('We keep checking while this page is open.').waitFor()
  await look(visit, 'mail-domain-missing')
}

const add = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel('Domain', { exact: true }).fill(name)
  await dialogOf(page).getByRole('button', { name: 'Add domain' }).click()
}

/** From the first step of the wizard to its result, by a refused token, a plan that skips, and one that does not. */
const publish = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.getByRole('button', { name: 'Publish at Cloudflare' }).click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('API token').fill('wrong-token-of-the-tests')
  await dialog.getByRole('button', { name: 'Preview changes' }).click()
  await dialog.getByText('Cloudflare rejected it. Check that it').waitFor()
  await visit.shot('mail-domain-publish')
  await dialog.getByLabel('API token').fill(TOKEN)
  await dialog.getByRole('button', { name: 'Preview changes' }).click()
  await dialog.getByText('MX records of another service exist.').waitFor()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByLabel('Replace conflicting records').check()
  await dialog.getByRole('button', { name: 'Preview changes' }).click()
  await dialog.getByText('Will be updated').first().waitFor()
  await dialog.getByText('v=spf1 mx include:_spf.other-mail.com -all').waitFor()
  await visit.shot('mail-domain-plan')
  assert.equal(provider.zone.rows.length, 2, 'a dry run writes nothing')
  service.clock.advance(6000)
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/check')),
    dialog.getByRole('button', { name: /Publish \d records/ }).click(),
  ])
  await dialog.getByText('You can find this result').waitFor()
  visit.expectProblem(/400/)
  assert.deepEqual(provider.problems, [])
  const texts = provider.zone.rows.filter(({ fqdn, type }) => fqdn === DOMAIN && type === 'TXT')
  assert.deepEqual(
    texts.map(({ data }) => data),
    ['v=spf1 mx include:_spf.other-mail.com -all'],
  )
  await visit.shot('mail-domain-published')
  serveZone()
  await checkNow(page)
  await dialog.getByText('All needed records are verified.').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText(`${DOMAIN} is ready to send and receive`, { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Needed 4 of 4 verified' }).waitFor()
  await row(page, 'SPF, Verified').waitFor()
  await visit.shot('mail-domain-ready', { fullPage: true })
  const next = await page.getByRole('link', { name: 'New address' }).getAttribute('href')
  assert.equal(next, `/addresses?domain=${await domainId()}&new=1`)
}

/** What is wrong is shown against what is wanted; the zone can be downloaded; what others check is seen at once. */
const mendWrongRecord = async (visit: Visit): Promise<void> => {
  const { page } = visit
  dns.set(DOMAIN, 'TXT', [[OTHER_SPF]])
  await checkNow(page)
  // However long the page takes: the service is asked in the same moment
  const checkedAt = service.clock.now()
  await page.route('**/check', (route) => {
    service.clock.set(checkedAt)
    return route.continue()
  })
  await page.getByRole('button', { name: 'Check now' }).first().click()
  await page.getByText('This domain was just checked.').waitFor()
  await page.unroute('**/check')
  // From here on the page's own checks may come too soon as well
  visit.expectProblem(/429/)
  await row(page, 'SPF, Incorrect').waitFor()
  const found = page.locator('dd', { hasText: OTHER_SPF })
  await found.locator('.line-through', { hasText: 'include:_spf.other-mail.com' }).first().waitFor()
  await page.getByText("The SPF record doesn't include this server.").waitFor()
  await page.getByText('v=spf1 mx include:_spf.other-mail.com -all').waitFor()
  await page.getByRole('button', { name: 'Copy value of SPF' }).first().click()
  await hasCopied(page, 'v=spf1 mx ~all')
  await visit.shot('mail-domain-wrong', { fullPage: true })

  await page.getByRole('button', { name: 'Zone file' }).click()
  await dialogOf(page).getByText(`$ORIGIN ${DOMAIN}.`).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialogOf(page)
      .getByRole('link', { name: /Download/ })
      .click(),
  ])
  assert.equal(download.suggestedFilename(), `${DOMAIN}.zone`)
  assert.match(await readFile(await download.path(), 'utf8'), /_dmarc\t3600\tIN\tTXT\t"v=DMARC1; p=none/)
  await page.keyboard.press('Escape')

  // While nobody looks nothing is checked; after coming back the person sees it turn green, and it is announced
  serveZone()
  service.clock.advance(6000)
  await showTab(page, false)
  const asked = apiCalls(page)
  await page.clock.fastForward(60_000)
  assert.deepEqual(
    asked.filter((call) => call.endsWith('/check')),
    [],
  )
  await showTab(page, true)
  await row(page, 'SPF, Verified').waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: `SPF: verified. ${DOMAIN} is ready` })
    .waitFor()

  // Somebody else checks: the screen follows by itself
  dns.set(DOMAIN, 'MX', [{ preference: 5, exchange: 'mx.a-rather-long-name-of-a-host.other-mail.com' }])
  service.clock.advance(6000)
  await owner.client.post(`/api/domains/${await domainId()}/check`)
  await row(page, 'MX, Incorrect').waitFor()
}

/** A wrong record, the plan to mend it, and the list. */
const fitPhone = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.getByText('Mail goes to mx.a-rather-long-name').waitFor()
  await fits(visit, 'mail-domain-dark-390')
  await page.getByRole('button', { name: 'Publish records' }).click()
  await page.getByLabel('API token').fill(TOKEN)
  await page.getByRole('button', { name: 'Preview changes' }).click()
  await dialogOf(page).getByText('Nothing has been published yet.').waitFor()
  await look(visit, 'mail-domain-plan-dark-390', 'dialog')
  await page.keyboard.press('Escape')
  await confirm(page, 'Close')
  await page.getByRole('link', { name: 'Domains' }).last().click()
  await page.getByText('Partly failing').waitFor()
  await fits(visit, 'mail-domains-dark-390')
}

const openDomain = async (page: Page, tab: string): Promise<void> => {
  await page.getByRole('link', { name: 'Domains' }).first().click()
  await page.getByRole('link', { name: DOMAIN }).click()
  await page.getByRole('tab', { name: tab }).click()
}

const switchKeys = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.getByRole('link', { name: DOMAIN }).waitFor()
  await look(visit, 'mail-domains')
  await openDomain(page, 'DKIM keys')
  await page.getByRole('button', { name: 'Activate s2' }).click()
  await confirm(page, 'Activate key')
  await page.getByRole('button', { name: 'Activate s1' }).waitFor()
  assert.equal((await api(`/api/domains/${await domainId()}`)).active_selector, 's2')
  await page.getByRole('button', { name: 'Add key' }).click()
  await page.getByText('Key s3 added').waitFor()
  await page.getByRole('button', { name: 'Delete s1' }).click()
  await confirm(page, 'Delete key')
  await page.getByRole('button', { name: 'Delete s1' }).waitFor({ state: 'detached' })
  await lookAtTab(visit, 'mail-domain-dkim')
}

/** What was chosen is not left unsaved by mistake. */
const routeMail = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const id = await domainId()
  const info = await owner.client.post(`/api/domains/${id}/addresses`, {
    local_part: 'info',
    password: 'seven lanterns in the harbour',
  })
  await owner.client.post('/api/domains', { name: 'harbour-lights.test' })
  await page.getByRole('tab', { name: 'Routing' }).click()
  await page.getByText("The sender is notified that the address doesn't exist.").waitFor()
  await page.getByLabel('Catch-all address').selectOption({ label: `info@${DOMAIN}` })
  await page.getByText(`Delivered to info@${DOMAIN}.`).waitFor()
  await page.getByLabel('Fallback domain').selectOption({ label: 'harbour-lights.test' })
  await page.getByRole('tab', { name: 'Settings' }).click()
  await dialogOf(page).getByText('Your changes on this tab will be lost.').waitFor()
  await confirm(page, 'Cancel')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Routing saved').waitFor()
  const routed = await api(`/api/domains/${id}`)
  assert.equal(routed.catch_all_address_id, info.body.id)
  assert.ok(routed.fallback_domain_id)
  await lookAtTab(visit, 'mail-domain-routing')
}

const changeSettings = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByLabel('Quarantine').check()
  await page.getByRole('textbox', { name: 'Note' }).fill('Renew in June')
  await page.keyboard.press('Control+s')
  await page.getByText('Publish the updated DNS records').waitFor()
  const saved = await api(`/api/domains/${await domainId()}`)
  assert.deepEqual([saved.dmarc_policy, saved.note], ['quarantine', 'Renew in June'])
  await lookAtTab(visit, 'mail-domain-settings')
}

const deleteOther = async ({ page }: Visit): Promise<void> => {
  await page.getByRole('link', { name: 'Domains' }).first().click()
  await page.getByLabel('Search domains').fill('.test')
  await page.getByRole('link', { name: DOMAIN }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'harbour-lights.test' }).click()
  await page.getByText("This domain doesn't need DNS records").waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete domain' }).click()
  await dialogOf(page).getByText('It has no addresses.').waitFor()
  await dialogOf(page).getByRole('textbox').fill('harbour-lights.test')
  const missing: string[] = []
  page.on('response', (response) => {
    if (response.status() === 404) missing.push(response.url())
  })
  await confirm(page, 'Delete domain')
  await page.getByRole('link', { name: DOMAIN }).waitFor()
  assert.deepEqual(missing, [], 'nothing of it is asked for while it goes')
  await page.getByRole('link', { name: 'harbour-lights.test' }).waitFor({ state: 'detached' })
  assert.equal((await api('/api/domains')).total, 1)
}

/** Reports of others become figures. */
const readReports = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await plantReports(await domainId())
  await openDomain(page, 'Reports')
  await page.getByLabel('Report type').selectOption('tls')
  await page.getByText('Certificate expired').waitFor()
  await page.getByLabel('Report type').selectOption('dmarc')
  await page.getByText('198.51.100.7').waitFor()
  await lookAtTab(visit, 'mail-domain-reports')
  await page.getByRole('button', { name: 'mail-01.example' }).click()
  await dialogOf(page).getByText('192.0.2.25').first().waitFor()
}

/** Another tab is in front, or this one again. */
const showTab = (page: Page, isVisible: boolean): Promise<void> =>
  page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: state })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    isVisible ? 'visible' : 'hidden',
  )

const plantReports = async (domainId: string): Promise<void> => {
  const DAY = 86_400_000
  const now = service.clock.now().getTime()
  const base = { domainId, domain: DOMAIN, createdAt: new Date(now) }
  const row = (source_ip: string, count: number, result: string) => ({
    source_ip,
    count,
    disposition: result === 'pass' ? 'none' : 'reject',
    dkim: result,
    spf: result,
    header_from: DOMAIN,
    envelope_from: DOMAIN,
  })
  await service.database.tx(async (tx) => {
    for (let day = 1; day <= 20; day += 1) {
      const fail = day % 6 === 0 ? 12 : 0
      await insertReport(tx, {
        ...base,
        id: newId(),
        type: 'dmarc',
        org: `mail-${String(day).padStart(2, '0')}.example`,
        reportId: `d${day}`,
        begin: new Date(now - day * DAY),
        end: new Date(now - (day - 1) * DAY),
        pass: 40 + ((day * 17) % 60),
        fail,
        rows: [
          row('192.0.2.25', 40 + ((day * 17) % 60), 'pass'),
          ...(fail > 0 ? [row('198.51.100.7', fail, 'fail')] : []),
        ],
      })
    }
    const failure = {
      result_type: 'certificate-expired',
      sending_ip: '192.0.2.9',
      receiving_host: 'mx.journey-host.com',
      count: 3,
    }
    await insertReport(tx, {
      ...base,
      id: newId(),
      type: 'tls',
      org: 'big-mail.example',
      reportId: 't1',
      begin: new Date(now - DAY),
      end: new Date(now),
      pass: 90,
      fail: 3,
      rows: [{ policy_type: 'sts', successful: 90, failed: 3, failures: [failure] }],
    })
  })
}
