import type { Api } from './api.ts'

/** The types that are written. */
export type RecordType = 'MX' | 'TXT' | 'CNAME' | 'SRV'

/** A record in whose shape all providers' records are compared: host names without the closing dot, texts unquoted. */
export type RecordData = {
  readonly value: string
  readonly priority: number | null
  readonly weight: number | null
  readonly port: number | null
}

/** A record as a provider has it. Types that are not published are only known to be there. */
export type ZoneRecord = RecordData & { readonly id: string; readonly fqdn: string; readonly type: string }

/** All records of one name and type: as they are, and as they are to be. */
export type RecordChange = {
  readonly fqdn: string
  readonly type: RecordType
  readonly before: readonly ZoneRecord[]
  readonly after: readonly RecordData[]
}

/** Null: done. Otherwise what went wrong, as it may be shown. */
export type WriteResult = string | null

/** A zone at a provider, opened with somebody's credentials. */
export type Zone = {
  /** Its own name: the domain, or one above it. */
  readonly name: string
  records(): Promise<ZoneRecord[]>
  /** One outcome for each change. */
  write(changes: readonly RecordChange[]): Promise<WriteResult[]>
}

export type Credentials = Readonly<Record<string, string>>

/** Finds the zone at one provider. `candidates`: the names that it can have, the longest first. Null: none is there. */
export type OpenZone = (api: Api, credentials: Credentials, candidates: readonly string[]) => Promise<Zone | null>

export const RECORD_TTL = 3600

/** How a record is called inside its zone. `apex` is what the provider calls the zone itself. */
export const relativeName = (fqdn: string, zone: string, apex: string): string =>
  fqdn === zone ? apex : fqdn.slice(0, -zone.length - 1)

/** The other way round. */
export const absoluteName = (name: string, zone: string): string => {
  const plain = name.toLowerCase().replace(/\.$/, '')
  if (plain === '' || plain === '@' || plain === zone) return zone
  return plain.endsWith(`.${zone}`) ? plain : `${plain}.${zone}`
}

/** A host as it is compared. */
export const hostOf = (given: string): string => (given === '.' ? '.' : given.toLowerCase().replace(/\.$/, ''))

const isSameData = (a: RecordData, b: RecordData): boolean =>
  a.value === b.value && a.priority === b.priority && a.weight === b.weight && a.port === b.port

/** For providers with records of their own: which are changed, made and removed to get from one set to the other. */
export type RecordSteps = {
  readonly updates: readonly { record: ZoneRecord; data: RecordData }[]
  readonly creates: readonly RecordData[]
  readonly removes: readonly ZoneRecord[]
}

export const stepsOf = ({ before, after }: Pick<RecordChange, 'before' | 'after'>): RecordSteps => {
  const stale = before.filter((record) => !after.some((data) => isSameData(record, data)))
  const fresh = after.filter((data) => !before.some((record) => isSameData(record, data)))
  const updates = stale.flatMap((record, index) => {
    const data = fresh[index]
    return data ? [{ record, data }] : []
  })
  return { updates, creates: fresh.slice(updates.length), removes: stale.slice(updates.length) }
}
