import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { browserTest } from '../lib/browser.ts'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import type { FakeNetworks } from '../lib/social/fake-networks.ts'
import { startSocialFakes } from '../lib/social/index.ts'
import { enterAs } from './cms-page.ts'
import { dialogOf, look } from './page.ts'

let service: CmsService
let fakes: FakeNetworks
let admin: Person
before(async () => {
  fakes = await startSocialFakes()
  service = await startCms({ background: true })
  await service.claim()
  admin = await service.person('admin', { name: 'Ada Admin' })
})
after(async () => {
  await service.close()
  await fakes.close()
})

/** As the settings screen and a person's browser do it. */
const connect = async (network: string): Promise<void> => {
  const app = { ...fakes.app(network), overrides: fakes.overrides(network) }
  assert.equal((await admin.client.put(`/api/social/settings/${network}`, app)).status, 200)
  const { body } = await admin.client.post(`/api/social/accounts/${network}/start`)
  const { pathname, search } = new URL(await fakes.consent(body.url))
  const answer = await fetch(`${service.url}${pathname}${search}`, { redirect: 'manual' })
  assert.match(answer.headers.get('location') ?? '', /connected=/)
}
const NETWORKS = ['facebook', 'instagram', 'threads', 'x', 'linkedin', 'tiktok', 'youtube', 'pinterest', 'mastodon']

describe('social publishing', () => {
  browserTest('all nine networks are connected, and the screens tell so', {}, async (visit) => {
    const { page } = visit
    for (const network of NETWORKS) await connect(network)
    await enterAs(visit, service, admin, '/social/settings')
    await page.getByRole('heading', { name: 'Mastodon' }).or(page.getByText('Mastodon')).first().waitFor()
    await look(visit, 'cms-social-settings')
    await page.goto(`${service.url}/admin/social/accounts`)
    await page
      .getByRole('button', { name: /^Disconnect/ })
      .first()
      .waitFor()
    await look(visit, 'cms-social-accounts')
  })

  browserTest('a post goes out, what fails is told in the words of the network, and is retried', {}, async (visit) => {
    const { page } = visit
    fakes.script({
      network: 'mastodon',
      call: 'commit',
      behave: { status: 422, body: { error: 'Validation failed: Text is too dull' } },
    })
    await enterAs(visit, service, admin, '/social/posts/new')
    await page.getByRole('button', { name: /Mastodon$/ }).click()
    await page.getByRole('button', { name: / X$/ }).click()
    await page.getByLabel('Caption', { exact: true }).fill('The harbour at night')
    await look(visit, 'cms-social-composer')
    await page.getByRole('button', { name: 'Publish now' }).click()
    await dialogOf(page).getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('Validation failed: Text is too dull').first().waitFor()
    await look(visit, 'cms-social-post-partial')
    assert.deepEqual(
      [fakes.posts('x').map(({ text }) => text), fakes.posts('mastodon')],
      [['The harbour at night'], []],
    )
    await page.getByRole('button', { name: /^Retry .* on Mastodon$/ }).click()
    await page.getByRole('button', { name: /^Retry/ }).waitFor({ state: 'detached' })
    assert.equal(fakes.posts('mastodon').length, 1)
    assert.equal(fakes.posts('x').length, 1)
    await page.goto(`${service.url}/admin/social`)
    await page.getByText('The harbour at night').first().waitFor()
    await look(visit, 'cms-social-overview')
  })
})
