import assert from 'node:assert/strict'
import type { SocialPost, SocialPostDetail } from '@stoa/cms-model/social.ts'
import { createSealer } from '@stoa/kit/crypto/seal.ts'
import { newId } from '@stoa/kit/ids.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { type CmsAnswer, type CmsOptions, type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { type FakeNetworks, startFakeNetworks } from '@stoa/tests/lib/social/fake-networks.ts'
import type { Network } from '../../networks/networks.ts'
import { createSocialWorker } from '../worker.ts'
import { fakeNetwork, testNetwork } from './network.ts'

export type Ground = CmsService & {
  fakes: FakeNetworks
  processing: { left: number }
  editor: Person
  author: Person
  /** A connected account. */
  account(members?: { network?: string; name?: string; capabilities?: object; status?: string }): Promise<string>
  /** A post for these accounts; the test fails if it is refused. */
  post(accountIds: readonly string[], members?: object): Promise<SocialPost>
  read(id: string): Promise<SocialPostDetail>
  schedule(id: string, at: Date): Promise<CmsAnswer>
  /** Asks for it without waiting for anybody to do it. */
  publish(id: string, body?: object): Promise<CmsAnswer>
  /** Does everything that is due by the clock. */
  runDue(): Promise<void>
  /** Another process on the same database. */
  second(options?: GroundOptions): Promise<CmsService>
}

export type GroundOptions = CmsOptions & { networks?: Readonly<Record<string, Network>> }

export const startGround = async (options: GroundOptions = {}): Promise<Ground> => {
  const fake = fakeNetwork()
  const fakes = await startFakeNetworks({ demo: fake, other: fakeNetwork(), same: fakeNetwork(), small: fakeNetwork() })
  const networks = options.networks ?? { demo: testNetwork(), other: testNetwork({ label: 'Other' }) }
  const social = { socialNetworks: networks, socialWaitMs: 0 }
  const service = await startCms({ ...social, ...options })
  const others: CmsService[] = []
  const worker = createSocialWorker(service.cms.services)
  const [editor, author] = [await service.person('editor'), await service.person('author')]
  const ground: Ground = {
    ...service,
    fakes,
    processing: fake.processing,
    editor,
    author,
    async account({ network = 'demo', name = 'Page', capabilities = {}, status = 'active' } = {}) {
      const id = newId()
      const now = service.clock.now()
      const base = `${fakes.url}/fake/${network}`
      const endpoints = {
        authorizeUrl: `${base}/authorize`,
        tokenUrl: `${base}/token`,
        apiBase: base,
        uploadBase: '',
        apiVersion: '',
        scopes: [],
      }
      const sealed = createSealer({ current: service.cms.services.config.secret }, 'social-account').seal(
        new Secret('demotoken1'),
        id,
      )
      await service.cms.database.tx((tx) =>
        tx.query({
          text: `insert into social_account (id, network, remote_id, name, kind, endpoints, client_id, access_token_sealed,
              tokens_at, scopes, capabilities, status, status_since, connected_at, updated_at)
            values ($1, $2, $1, $3, 'page', $4, 'client', $8, $5, '{}', $6, $7, $5, $5, $5)`,
          values: [id, network, name, JSON.stringify(endpoints), now, JSON.stringify(capabilities), status, sealed],
        }),
      )
      return id
    },
    async post(accountIds, members = {}) {
      const answer = await editor.client.post('/api/social/posts', { caption: 'Hello', accountIds, ...members })
      assert.equal(answer.status, 201, answer.text)
      return answer.body
    },
    async read(id) {
      const answer = await editor.client.get(`/api/social/posts/${id}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    },
    schedule: (id, at) => editor.client.post(`/api/social/posts/${id}/schedule`, { at: at.toISOString() }),
    publish: (id, body = {}) => editor.client.post(`/api/social/posts/${id}/publish`, body),
    runDue: () => worker.runDue(),
    async second(own = {}) {
      const other = await startCms({
        ...social,
        ...options,
        ...own,
        databaseUrl: service.databaseUrl,
        clock: service.clock,
      })
      others.push(other)
      return other
    },
    async close() {
      await worker.stop(0)
      for (const other of others) await other.close()
      await service.close()
      await fakes.close()
    },
  }
  return ground
}
