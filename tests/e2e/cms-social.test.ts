import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import type { TestClock } from '@stoa/kit/clock.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { browserTest } from '../lib/browser.ts'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import type { FakeNetworks } from '../lib/social/fake-networks.ts'
import { startSocialFakes } from '../lib/social/index.ts'
import { mp4 } from '../lib/video.ts'
import { enterAs, goTo } from './cms-page.ts'
import { dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let service: CmsService
let fakes: FakeNetworks
let admin: Person
const clock = runningClock()
before(async () => {
  fakes = await startSocialFakes()
  // Networks lead browsers back to this address, and read pictures from it.
  service = await startCms({ background: true, atPublicUrl: true, clock })
  await service.claim()
  admin = await service.person('admin', { name: 'Ada Admin' })
})
after(async () => {
  await service.close()
  await fakes.close()
})

/** The time of the browser, until it is put forward; it goes on from there. */
function runningClock(): TestClock {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    set: (at) => {
      ahead = at.getTime() - Date.now()
    },
    advance: (milliseconds) => {
      ahead += milliseconds
    },
  }
}

const FOR_IMAGE = {
  facebook: 'Facebook Page',
  instagram: 'Instagram',
  threads: 'Threads',
  x: 'X',
  linkedin: 'LinkedIn',
  mastodon: 'Mastodon',
}
const FOR_VIDEO = { tiktok: 'TikTok', youtube: 'YouTube', pinterest: 'Pinterest' }
const NETWORKS = Object.keys({ ...FOR_IMAGE, ...FOR_VIDEO })
const FIELDS = {
  apiBase: 'API URL',
  uploadBase: 'Upload URL',
  authorizeUrl: 'Authorization URL',
  tokenUrl: 'Token URL',
}

/** Enters the app of a network, goes to the network, consents, and comes back. */
const connect = async (page: Page, network: string): Promise<void> => {
  const { clientId } = fakes.app(network)
  await goTo(page, `/social/settings/${network}`)
  await page.getByLabel('Client ID').fill(clientId)
  // So short that not even its end is ever shown.
  await page.getByLabel('Client secret').fill('short')
  await page.getByText('Advanced', { exact: true }).click()
  for (const [key, value] of Object.entries(fakes.overrides(network)))
    await page.getByLabel(FIELDS[key as keyof typeof FIELDS]).fill(value)
  await page.getByRole('button', { name: 'Save app' }).click()
  await page.getByRole('button', { name: 'Connect account' }).click()
  await page.getByText(/ (account is|accounts are) ready for posts/).waitFor()
}

/** The same without a browser, which does it for one of them. */
const connectByApi = async (network: string): Promise<void> => {
  const { clientId, clientSecret } = fakes.app(network)
  const app = { clientId, clientSecret, overrides: fakes.overrides(network) }
  const saved = await admin.client.put(`/api/social/settings/${network}`, app)
  assert.equal(saved.status, 200, saved.text)
  const { body } = await admin.client.post(`/api/social/accounts/${network}/start`)
  const back = await fetch(await fakes.consent(body.url), { redirect: 'manual' })
  assert.match(back.headers.get('location') ?? '', /connected=/)
}

type Post = {
  caption: string
  networks: Record<string, string>
  file: { name: string; mimeType: string; buffer: Buffer }
}

/** Writes a post for the accounts of some networks. */
const write = async (page: Page, { caption, networks, file }: Post): Promise<void> => {
  await goTo(page, '/social/posts/new')
  for (const label of Object.values(networks))
    await page
      .getByRole('button', { name: new RegExp(` ${label}$`) })
      .first()
      .click()
  await page.getByLabel('Caption', { exact: true }).fill(caption)
  await page.locator('input[type=file]').first().setInputFiles([file])
  await page.getByText(file.name).first().waitFor()
}

const schedule = async (page: Page): Promise<void> => {
  await page.getByText('Ready for every selected network').waitFor()
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await dialogOf(page).getByRole('button', { name: 'Schedule post' }).click()
  await page.getByText(/^Goes out/).waitFor()
}

const liveCounts = () => NETWORKS.map((network) => fakes.posts(network).length)

describe('social publishing', () => {
  browserTest('nine networks are connected, two posts go out on time, what failed is retried', {}, async (visit) => {
    const { page } = visit
    await enterAs(visit, service, admin, '/social')
    await page.getByText('Plan and publish social posts').waitFor()
    await visit.shot('cms-social-empty')
    for (const network of NETWORKS) if (network !== 'x') await connectByApi(network)
    await connect(page, 'x')
    await page.getByText('Mastodon').first().waitFor()
    await look(visit, 'cms-social-accounts')

    const jpeg = await sharp({ create: { width: 1_200, height: 900, channels: 3, background: '#274' } })
      .jpeg()
      .toBuffer()
    await write(page, {
      caption: 'The harbour at night',
      networks: FOR_IMAGE,
      file: { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: jpeg },
    })
    await look(visit, 'cms-social-composer')
    await onPhoneInTheDark(visit, () => fits(visit, 'cms-social-composer-phone-dark'))
    await schedule(page)
    await write(page, {
      caption: 'A walk along the quay',
      networks: FOR_VIDEO,
      file: { name: 'walk.mp4', mimeType: 'video/mp4', buffer: mp4() },
    })
    await page.getByLabel('Who can see it').first().selectOption('SELF_ONLY')
    await page.getByLabel('Title', { exact: true }).first().fill('A walk along the quay')
    await page.getByLabel('Made for kids').selectOption('No')
    await page.getByLabel('Board', { exact: true }).selectOption({ index: 1 })
    await schedule(page)

    fakes.script({
      network: 'mastodon',
      call: 'commit',
      behave: { status: 422, body: { error: 'Validation failed: Text is too dull' } },
    })
    await goTo(page, '/social/calendar')
    const chip = (name: RegExp) => page.getByRole('link', { name })
    await chip(/The harbour at night.*Scheduled/).waitFor()
    const { body } = await admin.client.get('/api/social/posts')
    assert.deepEqual(liveCounts(), Array(9).fill(0))
    clock.set(new Date(body.items[0].scheduledAt))
    // Whatever is saved has the worker look, which it does by itself every five seconds.
    await admin.client.post('/api/social/posts', { caption: 'Not yet', accountIds: [body.items[1].accountIds[0]] })
    await chip(/A walk along the quay.*Posted/).waitFor()
    await chip(/The harbour at night.*Partly posted/).waitFor()
    await look(visit, 'cms-social-calendar')
    await onPhoneInTheDark(visit, () => fits(visit, 'cms-social-calendar-phone-dark'))

    await chip(/The harbour at night/).click()
    await page.getByText('Validation failed: Text is too dull').first().waitFor()
    await visit.shot('cms-social-post-partial')
    assert.equal(fakes.posts('mastodon').length, 0)
    await page.getByRole('button', { name: /^Retry .* on Mastodon$/ }).click()
    await until(async () => fakes.posts('mastodon').length === 1, 'it is on Mastodon')
    await page.getByRole('button', { name: /^Retry/ }).waitFor({ state: 'detached' })
    await page.getByText('Posted', { exact: true }).first().waitFor()
    assert.deepEqual(liveCounts(), Array(9).fill(1))
    await goTo(page, '/social')
    await page.getByText('The harbour at night').first().waitFor()
    await look(visit, 'cms-social-overview')
  })
})
