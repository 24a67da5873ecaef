import { z } from 'zod'
import { absoluteName, type OpenZone, RECORD_TTL, relativeName } from '../adapter.ts'
import { oneByOne } from '../api.ts'
import { fromZoneData, toZoneData } from '../data.ts'

const zone = z.object({ fqdn: z.string() })
const rrsets = z.array(z.object({ rrset_name: z.string(), rrset_type: z.string(), rrset_values: z.array(z.string()) }))

/** https://api.gandi.net/docs/livedns/ */
export const gandi: OpenZone = async (api, { token = '' }, candidates) => {
  const headers = { authorization: `Bearer ${token}` }
  for (const name of candidates) {
    if (!(await api.find(zone, { method: 'GET', path: `/domains/${name}`, headers }))) continue
    const path = `/domains/${name}/records`
    return {
      name,
      records: async () =>
        (await api.json(rrsets, { method: 'GET', path, headers })).flatMap((set) =>
          set.rrset_values.map((value) => ({
            ...fromZoneData(set.rrset_type, value),
            id: '',
            type: set.rrset_type,
            fqdn: absoluteName(set.rrset_name, name),
          })),
        ),
      write: (changes) =>
        oneByOne(changes, ({ fqdn, type, after }) =>
          api.run({
            method: 'PUT',
            path: `${path}/${encodeURIComponent(relativeName(fqdn, name, '@'))}/${type}`,
            headers,
            body: { rrset_values: after.map((data) => toZoneData(type, data)), rrset_ttl: RECORD_TTL },
          }),
        ),
    }
  }
  return null
}
