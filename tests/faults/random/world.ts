import { files, picture, svg } from '@stoa/cms/content/media/testing/fixtures.ts'
import { call, memberOf, must, type Outcome } from '../outcomes.ts'
import { OWNER } from '../writers.ts'
import { FIELDS, TYPE } from './content.ts'
import { createPools, type Pools } from './pools.ts'

export type World = {
  pools: Pools
  /** Takes the ids and names of an answer in. */
  learn(group: string, path: string, text: string): void
  /** Makes good what random requests have taken away. */
  restore(): Promise<void>
  files: readonly Buffer[]
}

const LEAST_ENTRIES = 20
const LEAST_FILES = 5
const HOME = [{ label: 'Home', url: '/' }]

/** A claimed site with some of everything. Its owner is hidden: what an owner may do would end the run. */
export const createWorld = async (url: string): Promise<World> => {
  const claimed = await must(`${url}/api/auth/setup`, { method: 'POST', body: OWNER })
  const token = memberOf(claimed, 'token')
  const { pools, learn } = createPools(memberOf(Reflect.get(Object(claimed), 'user'), 'id'))
  const { version: _version, ...settings } = Object(await must(`${url}/api/settings`, { token }))
  const pictures = [await picture('png'), await picture('jpeg', 64, 64), svg(), files.pdf, files.mp3]
  const send = async (method: 'POST' | 'PUT', path: string, body: unknown): Promise<Outcome> => {
    const outcome = await call(`${url}${path}`, { method, token, body })
    if (outcome.status === 201) learn(path.split('/')[2] ?? '', path, JSON.stringify(outcome.body))
    return outcome
  }
  const read = (path: string) => must(`${url}${path}`, { token })

  const restoreEntries = async (): Promise<void> => {
    const { meta } = Object(await read('/api/entries?limit=1'))
    for (let at = meta.total; at < LEAST_ENTRIES; at += 1)
      await send('POST', '/api/entries', { type: TYPE, title: `Entry ${at}` })
    learn('entries', '/api/entries', JSON.stringify(await read('/api/entries?limit=50')))
    for (const id of (pools.get('entries') ?? []).slice(-5))
      await send('POST', `/api/entries/${id}/status`, { action: 'publish' })
  }
  /** What is there already is refused, and that is fine. */
  const restore = async (): Promise<void> => {
    await send('PUT', '/api/settings', settings)
    await send('POST', '/api/types', { name: TYPE, label: 'Everything', fields: FIELDS, previewUrl: '/{slug}' })
    await send('PUT', `/api/types/${TYPE}`, { fields: FIELDS })
    const home = { name: 'home', label: 'Home', kind: 'single', fields: [{ key: 'line', type: 'text' }] }
    await send('POST', '/api/types', home)
    await send('POST', '/api/taxonomies', { name: 'topics', label: 'Topics', hierarchical: true })
    const taxonomy = (pools.get('taxonomies') ?? []).at(-1)
    for (const name of ['One', 'Two']) await send('POST', `/api/taxonomies/${taxonomy}/terms`, { name })
    await send('POST', '/api/menus', { name: 'main', label: 'Main', items: HOME })
    await send('PUT', '/api/menus/main', { label: 'Main', items: HOME })
    await send('POST', '/api/webhooks', { url: 'https://example.com/hook', events: ['*'] })
    const isShort = (pools.get('media') ?? []).length < LEAST_FILES
    for (const bytes of isShort ? pictures : []) learn('media', '/api/media', await upload(url, token, bytes))
    await restoreEntries()
  }
  await restore()
  return { pools, learn, restore, files: [...pictures, Buffer.from('nothing')] }
}

const upload = async (url: string, token: string, bytes: Buffer): Promise<string> => {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), 'a.png')
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${url}/api/media`, { method: 'POST', headers, body: form })).text()
}
