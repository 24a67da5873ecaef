import { baseSubject, casemap } from '../../../formats/mime/mime.ts'
import type { FirstAddress, SortMember, SortRow } from '../../../store/store.ts'
import type { Arguments } from '../parse/arguments.ts'
import { bad } from '../parse/bad-command.ts'
import { compareTexts } from './collation.ts'

/** What messages are sorted by (RFC 5256 §3, RFC 5957), the first key first. */
export type SortKey = { readonly by: SortName; readonly isReverse: boolean }

type SortName = 'ARRIVAL' | 'CC' | 'DATE' | 'DISPLAYFROM' | 'DISPLAYTO' | 'FROM' | 'SIZE' | 'SUBJECT' | 'TO'

type Sorter = { readonly member: SortMember; read(row: SortRow): string | number }

const mailboxOf = (address: FirstAddress | undefined): string => {
  if (!address) return ''
  // RFC 9051 §7.5.2: a group begins with an address of which there is only the name.
  if (address.group !== null) return casemap(address.group)
  const email = address.email ?? ''
  const at = email.lastIndexOf('@')
  return casemap(at === -1 ? email : email.slice(0, at))
}

/** RFC 5957 §3: the name, or else the whole address. */
const displayOf = (address: FirstAddress | undefined): string =>
  casemap(address?.group ?? (address?.name || address?.email) ?? '')

const SORTERS: Readonly<Record<SortName, Sorter>> = {
  ARRIVAL: { member: 'receivedAt', read: ({ receivedAt }) => receivedAt?.getTime() ?? 0 },
  CC: { member: 'cc', read: ({ cc }) => mailboxOf(cc) },
  DATE: { member: 'sentAt', read: ({ sentAt }) => sentAt?.getTime() ?? 0 },
  DISPLAYFROM: { member: 'from', read: ({ from }) => displayOf(from) },
  DISPLAYTO: { member: 'to', read: ({ to }) => displayOf(to) },
  FROM: { member: 'from', read: ({ from }) => mailboxOf(from) },
  SIZE: { member: 'size', read: ({ size }) => size ?? 0 },
  SUBJECT: { member: 'subject', read: ({ subject }) => casemap(baseSubject(subject ?? '')) },
  TO: { member: 'to', read: ({ to }) => mailboxOf(to) },
}

const NAMES = ['ARRIVAL', 'CC', 'DATE', 'DISPLAYFROM', 'DISPLAYTO', 'FROM', 'SIZE', 'SUBJECT', 'TO'] as const
/** More keys than there are sorts say nothing new. */
const MAX_KEYS = 2 * NAMES.length

/** `(REVERSE DATE SUBJECT)` */
export const readSortKeys = (args: Arguments): SortKey[] => {
  const keys = args.list((): SortKey => {
    const isReverse = args.takeKeyword('REVERSE') !== null
    if (isReverse) args.space()
    return { by: args.takeKeyword(...NAMES) ?? bad('Unknown sort key'), isReverse }
  })
  if (keys.length === 0 || keys.length > MAX_KEYS) bad('Use at least one sort key, each only once')
  return keys
}

/** What has to be read of messages to sort them. */
export const membersOf = (keys: readonly SortKey[]): SortMember[] => [
  ...new Set(keys.map(({ by }) => SORTERS[by].member)),
]

/** The UIDs of rows in order. Equal ones stay in the order of the folder, also below REVERSE (RFC 5256 §3). */
export const sortUids = (rows: readonly SortRow[], keys: readonly SortKey[]): number[] => {
  const columns = keys.map(({ by, isReverse }) => ({ values: rows.map(SORTERS[by].read), sign: isReverse ? -1 : 1 }))
  const compare = (one: number, other: number): number => {
    for (const { values, sign } of columns) {
      const order = compareValues(values[one], values[other])
      if (order !== 0) return sign * order
    }
    return one - other
  }
  return [...rows.keys()].sort(compare).flatMap((index) => rows[index]?.uid ?? [])
}

const compareValues = (one: string | number | undefined, other: string | number | undefined): number => {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return typeof one === 'string' && typeof other === 'string' ? compareTexts(one, other) : 0
}
