import { z } from 'zod'
import { absoluteName, type OpenZone, RECORD_TTL, relativeName } from '../adapter.ts'
import { oneByOne } from '../api.ts'
import { fromZoneData, toZoneData } from '../data.ts'

const zone = z.object({ name: z.string() })
const rrsets = z.array(z.object({ subname: z.string(), type: z.string(), records: z.array(z.string()) }))

/** https://desec.readthedocs.io/en/latest/dns/rrsets.html */
export const desec: OpenZone = async (api, { token = '' }, candidates) => {
  const headers = { authorization: `Token ${token}` }
  for (const name of candidates) {
    if (!(await api.find(zone, { method: 'GET', path: `/domains/${name}/`, headers }))) continue
    const path = `/domains/${name}/rrsets/`
    return {
      name,
      records: async () =>
        (await api.json(rrsets, { method: 'GET', path, headers })).flatMap(({ subname, type, records }) =>
          records.map((value) => ({
            ...fromZoneData(type, value),
            id: '',
            type,
            fqdn: absoluteName(subname, name),
          })),
        ),
      write: (changes) =>
        oneByOne(changes, ({ fqdn, type, after }) => {
          const records = after.map((data) => toZoneData(type, data))
          const set = { subname: relativeName(fqdn, name, ''), type, ttl: RECORD_TTL, records }
          return api.run({ method: 'PUT', path, headers, body: [set] })
        }),
    }
  }
  return null
}
