import assert from 'node:assert/strict'
import type { CmsAnswer, CmsOptions } from '@stoa/tests/lib/cms.ts'
import { type Site, startSite } from '../../../content/entries/testing/site.ts'
import { deliveryKeyFor } from '../../../people/delivery-keys/testing/keys.ts'

export type DeliverySite = Site & {
  /** Reads with a key for these types; all types, if absent. */
  reader(types?: readonly string[]): Promise<Reader>
  /** A published entry. */
  live(members: object): Promise<CmsAnswer['body']>
}

export type Reader = {
  id: string
  key: string
  get(path: string, headers?: Record<string, string>): Promise<CmsAnswer>
  /** The answer's body; the test fails if it is not 200. */
  read(path: string): Promise<CmsAnswer['body']>
  /** Titles of a list, in its order. */
  titles(path: string): Promise<string[]>
}

/** A site whose content can be read by keys. */
export const startDelivery = async (options: CmsOptions = {}): Promise<DeliverySite> => {
  const site = await startSite(options)
  await site.cms.services.bus.ready()
  return {
    ...site,
    async addType(...type) {
      await site.addType(...type)
      await announce(site, 'type.created')
    },
    async reader(types = ['*']) {
      const { id, key } = await deliveryKeyFor(site.admin, types)
      return readerOf(site, id, key)
    },
    async live(members) {
      const { id } = await site.add(site.editor.client, { data: { summary: 's' }, ...members })
      return site.publish(site.editor.client, id)
    },
  }
}

/** Notifies listeners of what a test wrote directly into the database. */
export const announce = (site: Pick<Site, 'cms'>, event: string): Promise<void> =>
  site.cms.database.tx(async (tx) => {
    tx.changes.push({ topic: event.split('.')[0] ?? '', event, data: { isPublic: true } })
  })

/** What is asked of the database meanwhile, but for the uses of keys: they are written down while nobody waits for it. */
export const statementsOf = async (site: Pick<Site, 'cms'>, act: () => Promise<unknown>): Promise<string[]> => {
  const watch = site.cms.database.watchStatements()
  await act()
  watch.stop()
  return watch.texts.filter((text) => !NOTED_USE.test(text))
}

const NOTED_USE = /^(?:begin|commit)$|update "delivery_key"/

export const readerOf = (service: Pick<Site, 'client'>, id: string, key: string): Reader => {
  const client = service.client()
  const get: Reader['get'] = (path, headers = {}) => client.get(path, { 'x-api-key': key, ...headers })
  const read: Reader['read'] = async (path) => {
    const answer = await get(path)
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    return answer.body
  }
  return {
    id,
    key,
    get,
    read,
    titles: async (path) => (await read(path)).items.map(({ title }: { title: string }) => title),
  }
}
