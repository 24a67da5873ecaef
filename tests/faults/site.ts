import { memberOf, must } from './outcomes.ts'
import { OWNER } from './writers.ts'

/** A claimed CMS with a content type and a delivery key for it. */
export type Site = {
  /** The owner's session. */
  token: string
  key: string
}

export const TYPE = 'article'

export const prepareSite = async (url: string): Promise<Site> => {
  const token = memberOf(await must(`${url}/api/auth/setup`, { method: 'POST', body: OWNER }), 'token')
  const fields = [
    { key: 'summary', type: 'text' },
    { key: 'body', type: 'richtext' },
  ]
  await must(`${url}/api/types`, { method: 'POST', token, body: { name: TYPE, label: 'Article', fields } })
  const minted = await must(`${url}/api/delivery-keys`, {
    method: 'POST',
    token,
    body: { name: 'Website', types: ['*'] },
  })
  return { token, key: memberOf(minted, 'key') }
}

export const addEntry = async (
  url: string,
  { token }: Pick<Site, 'token'>,
  title: string,
  text = 'Some text',
): Promise<string> => {
  const body = { type: TYPE, title, data: { summary: title, body: `<p>${text}</p>` } }
  return memberOf(await must(`${url}/api/entries`, { method: 'POST', token, body }), 'id')
}

export const publish = (url: string, { token }: Pick<Site, 'token'>, id: string): Promise<unknown> =>
  must(`${url}/api/entries/${id}/status`, { method: 'POST', token, body: { action: 'publish' } })

/** A webhook for everything that goes live, and the secret that its requests are signed with. */
export const addWebhook = async (url: string, { token }: Pick<Site, 'token'>, target: string): Promise<string> => {
  const body = { url: target, events: ['entry.published'] }
  return memberOf(await must(`${url}/api/webhooks`, { method: 'POST', token, body }), 'secret')
}

/** Does it for each of so many, a few at a time. */
export const each = async (count: number, work: (at: number) => Promise<void>, parallel = 6): Promise<void> => {
  let next = 0
  const worker = async () => {
    for (let at = next++; at < count; at = next++) await work(at)
  }
  await Promise.all(Array.from({ length: parallel }, worker))
}
