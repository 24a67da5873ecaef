import assert from 'node:assert/strict'
import type { SocialPost, SocialPostDetail } from '@stoa/cms-model/social.ts'
import { createEgress } from '@stoa/kit/egress/egress.ts'
import { newId } from '@stoa/kit/ids.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { type CmsAnswer, type CmsOptions, type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { type FakeNetworks, startFakeNetworks } from '@stoa/tests/lib/social/fake-networks.ts'
import type { Services } from '../../../context.ts'
import { createNetworkHttp, type Network, NetworkFailure } from '../../networks/networks.ts'
import type { SocialAccounts, TargetAccount } from '../../posts/posts.ts'
import { createSocialWorker } from '../worker.ts'
import { fakeNetwork, testNetwork } from './network.ts'

/** Accounts whose rows a test wrote: no consent, no refresh. */
export const plainAccounts = (): SocialAccounts => {
  const egress = createEgress({ ports: [443] })
  return {
    async withAccount(services: Services, accountId, signal, run) {
      const row = await services.database.db
        .selectFrom('social_account')
        .selectAll()
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow()
      const endpoints = row.endpoints as Parameters<typeof createNetworkHttp>[1]
      try {
        return await run({
          http: createNetworkHttp(egress, endpoints, signal),
          endpoints,
          accessToken: new Secret(row.access_token_sealed ?? ''),
          account: {
            remoteId: row.remote_id,
            name: row.name,
            handle: row.handle,
            kind: row.kind,
            capabilities: row.capabilities as TargetAccount['capabilities'],
            scopes: row.scopes,
          },
          now: () => services.clock.now(),
        })
      } catch (error) {
        if (error instanceof NetworkFailure && error.facts.kind === 'auth')
          await services.database.tx((tx) =>
            tx.updateTable('social_account').set({ status: 'needs_reconnect' }).where('id', '=', accountId).execute(),
          )
        throw error
      }
    },
    targetAccounts: (db, ids) =>
      db.query({
        text: `select id, network, name, handle, avatar_url as "avatarUrl", status, status_reason as "statusReason",
          capabilities from social_account where id = any($1::text[])`,
        values: [ids],
      }),
    pauseAccount: async (tx, id, until) => {
      await tx.updateTable('social_account').set({ paused_until: until }).where('id', '=', id).execute()
    },
    pauseApp: async (tx, network, until) => {
      await tx.updateTable('social_app').set({ paused_until: until }).where('network', '=', network).execute()
    },
  }
}

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
  second(): Promise<CmsService>
}

export type GroundOptions = CmsOptions & { networks?: Readonly<Record<string, Network>> }

export const startGround = async (options: GroundOptions = {}): Promise<Ground> => {
  const fake = fakeNetwork()
  const fakes = await startFakeNetworks({ demo: fake, other: fakeNetwork() })
  const networks = options.networks ?? { demo: testNetwork(), other: testNetwork({ label: 'Other' }) }
  const social = { networks, accounts: plainAccounts(), publishWaitMs: 0, ...options.social }
  const service = await startCms({ ...options, social })
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
      await service.cms.database.tx((tx) =>
        tx.query({
          text: `insert into social_account (id, network, remote_id, name, kind, endpoints, client_id, access_token_sealed,
              tokens_at, scopes, capabilities, status, status_since, connected_at, updated_at)
            values ($1, $2, $1, $3, 'page', $4, 'client', 'demotoken1', $5, '{}', $6, $7, $5, $5, $5)`,
          values: [id, network, name, JSON.stringify(endpoints), now, JSON.stringify(capabilities), status],
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
    async second() {
      const other = await startCms({ ...options, social, databaseUrl: service.databaseUrl, clock: service.clock })
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
