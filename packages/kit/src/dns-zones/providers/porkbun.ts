import { z } from 'zod'
import {
  type Credentials,
  type OpenZone,
  RECORD_TTL,
  type RecordChange,
  type RecordData,
  relativeName,
  type Zone,
} from '../adapter.ts'
import { type Api, ProviderFailed, ProviderRefused, writeRecords } from '../api.ts'
import { fromContent, toContent } from '../data.ts'

const answer = z.object({
  status: z.string(),
  message: z.string().optional(),
  records: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.string(),
        content: z.string(),
        prio: z.string().nullish(),
      }),
    )
    .default([]),
})

/** https://porkbun.com/api/json/v3/documentation */
export const porkbun: OpenZone = async (api, credentials, candidates) => {
  await ask(api, credentials, '/ping')
  for (const name of candidates) {
    const { status } = await send(api, credentials, `/dns/retrieve/${name}`)
    if (status === 'SUCCESS') return openedZone(api, credentials, name)
  }
  return null
}

const openedZone = (api: Api, credentials: Credentials, name: string): Zone => ({
  name,
  records: async () =>
    (await ask(api, credentials, `/dns/retrieve/${name}`)).records.map(({ id, type, content, prio, ...found }) => ({
      ...fromContent(type, content, Number(prio ?? 0)),
      id,
      type,
      fqdn: found.name.toLowerCase(),
    })),
  write: (changes) =>
    writeRecords(changes, {
      create: async (change, data) =>
        void (await ask(api, credentials, `/dns/create/${name}`, toBody(change, data, name))),
      update: async (change, data, { id }) =>
        void (await ask(api, credentials, `/dns/edit/${name}/${id}`, toBody(change, data, name))),
      remove: async ({ id }) => void (await ask(api, credentials, `/dns/delete/${name}/${id}`)),
    }),
})

/** Refusals come with any status; what they say is in the body. */
const send = async (api: Api, { api_key, secret_key }: Credentials, path: string, body: object = {}) => {
  const keys = { apikey: api_key, secretapikey: secret_key }
  const { text } = await api.send({ method: 'POST', path, body: { ...body, ...keys } })
  const parsed = answer.safeParse(parseJson(text))
  if (!parsed.success) throw new ProviderFailed('The DNS provider sent an unexpected response.')
  if (parsed.data.status !== 'SUCCESS' && /invalid api key/i.test(parsed.data.message ?? ''))
    throw new ProviderRefused('The DNS provider rejected the credentials.')
  return parsed.data
}

const ask = async (api: Api, credentials: Credentials, path: string, body?: object) => {
  const said = await send(api, credentials, path, body)
  if (said.status !== 'SUCCESS')
    throw new ProviderFailed(`The DNS provider says: ${(said.message ?? '').slice(0, 200)}`)
  return said
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const toBody = ({ fqdn, type }: RecordChange, data: RecordData, zone: string) => ({
  name: relativeName(fqdn, zone, ''),
  type,
  content: toContent(type, data),
  ttl: String(RECORD_TTL),
  ...(data.priority !== null && { prio: String(data.priority) }),
})
